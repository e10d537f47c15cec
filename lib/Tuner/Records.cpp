// Reading and writing of tuning records. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Tuner/Records.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <tuple>

using namespace tilewright;
using namespace tilewright::tuner;

static constexpr std::string_view kHeader = "# tilewright tuning records, version 1";
/// Longest line that is read; a schedule takes about 300 characters.
static constexpr size_t kLongestLine = 4096;

namespace {
/// One line, read from left to right.
class Line {
public:
  explicit Line(std::string_view text) : text(text) {}

  /// Where the next word starts, from 1.
  size_t column() const { return at + 1; }
  const std::string &why() const { return error; }

  /// The next word, up to a space or the end.
  bool word(const char *what, std::string &out) {
    size_t end = std::min(text.find(' ', at), text.size());
    if (end == at)
      return fail(std::string("expected ") + what);
    out = text.substr(at, end - at);
    return finish(end);
  }

  /// The text behind `key=`, in quotes if `quoted`, else up to a space; the rest of the line if `last`.
  bool entry(std::string_view key, std::string &out, bool quoted = false, bool last = false) {
    std::string head = std::string(key) + (quoted ? "=\"" : "=");
    if (text.substr(at, head.size()) != head)
      return fail("expected '" + head + "'");
    at += head.size();
    size_t end = last ? text.size() : text.find(quoted ? '"' : ' ', at);
    if (end == std::string_view::npos && quoted)
      return fail("expected '\"' at the end of " + std::string(key));
    end = std::min(end, text.size());
    if (end == at)
      return fail("expected the value of " + std::string(key));
    out = text.substr(at, end - at);
    return finish(end + quoted);
  }

  bool number(std::string_view key, double &out) {
    std::string digits;
    size_t start = at;
    if (!entry(key, digits))
      return false;
    auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (code == std::errc() && end == digits.data() + digits.size() && std::isfinite(out) && out >= 0)
      return true;
    at = start + key.size() + 1;
    return fail("expected a number for " + std::string(key) + ", got '" + digits + "'");
  }

  bool fail(std::string message) {
    error = std::move(message);
    return false;
  }

private:
  /// Goes behind what ended at `end` and the one space after it.
  bool finish(size_t end) {
    at = end;
    if (at == text.size())
      return true;
    if (text[at] != ' ')
      return fail("expected a space");
    ++at;
    return true;
  }

  std::string_view text;
  size_t at = 0;
  std::string error;
};
} // namespace

static bool isContent(const std::string &text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

static bool parseLine(Line &line, Record &record) {
  if (!line.word("a chip", record.arch) || !line.word("an anchor", record.anchor) ||
      !line.word("a shape", record.shape) || !line.word("element types", record.types))
    return false;
  size_t column = line.column();
  if (!line.entry("content", record.content))
    return false;
  if (!isContent(record.content))
    return line.fail("the content at column " + std::to_string(column) + " is not 16 hexadecimal digits");
  if (!line.number("us", record.microseconds) || !line.number("spread", record.spread) ||
      !line.number("model", record.modelled) || !line.entry("gpu", record.gpu, /*quoted=*/true) ||
      !line.entry("driver", record.driver) || !line.entry("commit", record.commit) ||
      !line.entry("schedule", record.schedule, /*quoted=*/false, /*last=*/true))
    return false;
  if (record.microseconds <= 0)
    return line.fail("a record takes more than 0 us");
  std::string_view schedule = record.schedule;
  if (schedule.substr(0, 15) != "#tile.schedule<" || schedule.back() != '>')
    return line.fail("the schedule is no #tile.schedule<...>");
  return true;
}

std::string Records::parse(std::string_view text, const std::string &name) {
  unsigned number = 0;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    std::string place = name + ":" + std::to_string(number) + ":";
    auto control = [](char c) { return (unsigned char)c < ' ' || c == 0x7f; };
    if (auto bad = std::find_if(content.begin(), content.end(), control); bad != content.end())
      return place + std::to_string(bad - content.begin() + 1) + ": a control character";
    if (content.size() > kLongestLine)
      return place + "1: a line of " + std::to_string(content.size()) + " characters, at most " +
             std::to_string(kLongestLine) + " are read";
    if (number == 1 && content != kHeader)
      return place + "1: expected '" + std::string(kHeader) + "'";
    if (content.empty() || content[0] == '#')
      continue;
    Line line(content);
    Record record;
    record.line = number;
    if (!parseLine(line, record))
      return place + std::to_string(line.column()) + ": " + line.why();
    add(std::move(record));
  }
  return "";
}

static auto order(const Record &record) {
  return std::tie(record.arch, record.anchor, record.shape, record.types, record.content);
}

void Records::add(Record record) {
  auto same = std::find_if(records.begin(), records.end(), [&](const Record &other) {
    return other.arch == record.arch && other.content == record.content;
  });
  if (same != records.end()) {
    if (std::tie(same->microseconds, same->schedule) <= std::tie(record.microseconds, record.schedule))
      return;
    records.erase(same);
  }
  auto place = std::upper_bound(records.begin(), records.end(), record,
                                [](const Record &a, const Record &b) { return order(a) < order(b); });
  records.insert(place, std::move(record));
}

const Record *Records::find(std::string_view arch, std::string_view content) const {
  for (const Record &record : records)
    if (record.arch == arch && record.content == content)
      return &record;
  return nullptr;
}

/// The shortest digits that read as the same number.
static std::string decimal(double value) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string Records::text() const {
  std::string out(kHeader);
  out += "\n";
  for (const Record &r : records)
    out += r.arch + " " + r.anchor + " " + r.shape + " " + r.types + " content=" + r.content +
           " us=" + decimal(r.microseconds) + " spread=" + decimal(r.spread) +
           " model=" + decimal(r.modelled) + " gpu=\"" + r.gpu + "\" driver=" + r.driver +
           " commit=" + r.commit + " schedule=" + r.schedule + "\n";
  return out;
}

std::string tuner::readRecords(const std::string &path, Records &records) {
  if (path.empty() || path == "none")
    return "";
  if (path == "builtin")
    return records.parse(builtinRecords(), "builtin records");
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return "cannot read '" + path + "': " + std::strerror(errno);
  std::string text;
  char buffer[1 << 14];
  size_t count;
  while ((count = std::fread(buffer, 1, sizeof buffer, file)) > 0)
    text.append(buffer, count);
  bool broken = std::ferror(file);
  std::fclose(file);
  if (broken)
    return "cannot read '" + path + "': " + std::strerror(EIO);
  return records.parse(text, path);
}
