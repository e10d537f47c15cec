// Reading and writing of tuning tasks and of what was measured. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Tuner/Task.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

using namespace tilewright::tuner;

static constexpr std::string_view kHeader = "# tilewright tuning task, version 1";
/// A limit of indices is a number that a double holds.
static constexpr double kMostCount = 0x1p53;

/// The next word of `line`, taken off its front.
static std::string takeWord(std::string_view &line) {
  size_t end = std::min(line.find(' '), line.size());
  std::string word(line.substr(0, end));
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

static std::string_view takeLine(std::string_view &text) {
  size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

static bool takeNumber(std::string_view &line, double &out) {
  std::string word = takeWord(line);
  auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), out);
  return code == std::errc() && end == word.data() + word.size() && std::isfinite(out) && out >= 0;
}

static std::string decimal(double value, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return buffer;
}

/// A name of a file in the folder.
static bool isName(const std::string &name) {
  return !name.empty() && name.size() <= 64 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string::npos;
}

std::string Task::text() const {
  std::string out = std::string(kHeader) + "\nkernel " + arch + " " + anchor + " " + shape + " " + types +
                    " " + content + "\nreference " + reference + "\n";
  for (const Limit &one : limits)
    out += "limit " + one.input + " " + std::to_string(one.count) + "\n";
  for (const Candidate &one : candidates)
    out += "candidate " + one.name + " " + decimal(one.modelled, 3) + " " + one.schedule + "\n";
  return out;
}

std::string Task::parse(std::string_view text, const std::string &name) {
  if (takeLine(text) != kHeader)
    return name + ":1: expected '" + std::string(kHeader) + "'";
  *this = {};
  for (unsigned number = 2; !text.empty(); ++number) {
    std::string_view line = takeLine(text);
    auto wrong = [&](const char *what) { return name + ":" + std::to_string(number) + ": expected " + what; };
    std::string kind = takeWord(line);
    if (kind == "kernel") {
      for (std::string *word : {&arch, &anchor, &shape, &types, &content})
        if ((*word = takeWord(line)).empty())
          return wrong("chip, anchor, shape, types and content of the kernel");
    } else if (kind == "reference") {
      if (!isName(reference = takeWord(line)))
        return wrong("the reference's name");
    } else if (kind == "limit") {
      Limit &one = limits.emplace_back();
      double count = 0;
      if (!isName(one.input = takeWord(line)) || !takeNumber(line, count) || !line.empty() || count < 1 ||
          count > kMostCount || count != std::floor(count))
        return wrong("an input and a whole number");
      one.count = (uint64_t)count;
    } else if (kind == "candidate") {
      Candidate &one = candidates.emplace_back();
      if (!isName(one.name = takeWord(line)) || !takeNumber(line, one.modelled) || line.empty())
        return wrong("name, modelled time and schedule of a candidate");
      one.schedule = line;
    } else {
      return wrong("'kernel', 'reference', 'limit' or 'candidate'");
    }
  }
  if (arch.empty() || reference.empty() || candidates.empty())
    return name + ":1: a task has a kernel, a reference and candidates";
  return "";
}

std::string Measurement::text() const {
  if (verdict == Verdict::Right)
    return candidate + " right " + decimal(microseconds, 3) + " " + decimal(spread, 2) + "\n";
  return candidate + (verdict == Verdict::Wrong ? " wrong " : " failed ") + why + "\n";
}

std::vector<Measurement> tilewright::tuner::parseMeasurements(std::string_view text) {
  std::vector<Measurement> found;
  while (text.find('\n') != std::string_view::npos) {
    std::string_view line = takeLine(text);
    Measurement one;
    one.candidate = takeWord(line);
    std::string verdict = takeWord(line);
    if (verdict == "right") {
      one.verdict = Verdict::Right;
      if (!takeNumber(line, one.microseconds) || !takeNumber(line, one.spread))
        continue;
    } else if (verdict == "wrong" || verdict == "failed") {
      one.verdict = verdict == "wrong" ? Verdict::Wrong : Verdict::Failed;
      one.why = line;
    } else {
      continue;
    }
    auto same = std::find_if(found.begin(), found.end(),
                             [&](const Measurement &other) { return other.candidate == one.candidate; });
    if (same != found.end())
      *same = std::move(one);
    else
      found.push_back(std::move(one));
  }
  return found;
}
