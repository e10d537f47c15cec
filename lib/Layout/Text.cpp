// A recursive-descent reader of the text form of layouts.
#include "Text.h"

using namespace tilewright::layout;

namespace {
class Reader {
public:
  explicit Reader(std::string_view text) : text(text) {}

  bool value(TextValue &out, int depth = 0) {
    skipSpace();
    if (depth > 8)
      return stop("nested too deeply");
    if (at >= text.size())
      return stop("expected a value");
    if (text[at] == '{')
      return record(out, depth);
    if (text[at] == '[')
      return list(out, depth);
    return integer(out);
  }
  bool end() {
    skipSpace();
    return at == text.size() || stop("unexpected text");
  }
  std::string message;

private:
  bool stop(const char *what) {
    if (message.empty())
      message = std::string(what) + " at character " + std::to_string(at);
    return false;
  }
  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t'))
      ++at;
  }
  bool take(char c) {
    skipSpace();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool integer(TextValue &out) {
    size_t begin = at;
    bool negative = at < text.size() && text[at] == '-';
    at += negative;
    int64_t n = 0;
    size_t digits = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, ++digits) {
      if (digits >= 18)
        return stop("integer too large");
      n = n * 10 + (text[at] - '0');
    }
    if (!digits) {
      at = begin;
      return stop("expected an integer, '[' or '{'");
    }
    out.kind = TextValue::Integer;
    out.integer = negative ? -n : n;
    return true;
  }
  bool list(TextValue &out, int depth) {
    take('[');
    out.kind = TextValue::List;
    if (take(']'))
      return true;
    do {
      if (!value(out.items.emplace_back(), depth + 1))
        return false;
    } while (take(','));
    return take(']') || stop("expected ',' or ']'");
  }
  bool record(TextValue &out, int depth) {
    take('{');
    out.kind = TextValue::Record;
    if (take('}'))
      return true;
    do {
      skipSpace();
      size_t begin = at;
      while (at < text.size() && text[at] >= 'a' && text[at] <= 'z')
        ++at;
      std::string name(text.substr(begin, at - begin));
      if (name.empty())
        return stop("expected a field name");
      if (out.field(name))
        return stop("field given twice");
      if (!take('='))
        return stop("expected '='");
      TextValue field;
      if (!value(field, depth + 1))
        return false;
      out.fields.emplace_back(std::move(name), std::move(field));
    } while (take(','));
    return take('}') || stop("expected ',' or '}'");
  }

  std::string_view text;
  size_t at = 0;
};
} // namespace

const TextValue *TextValue::field(std::string_view name) const {
  for (const auto &[fieldName, value] : fields)
    if (fieldName == name)
      return &value;
  return nullptr;
}

std::optional<std::vector<int64_t>> TextValue::integers() const {
  if (kind != List)
    return std::nullopt;
  std::vector<int64_t> out;
  for (const TextValue &item : items) {
    if (item.kind != Integer)
      return std::nullopt;
    out.push_back(item.integer);
  }
  return out;
}

std::optional<std::vector<std::vector<int64_t>>> TextValue::integerLists() const {
  if (kind != List)
    return std::nullopt;
  std::vector<std::vector<int64_t>> out;
  for (const TextValue &item : items) {
    std::optional<std::vector<int64_t>> inner = item.integers();
    if (!inner)
      return std::nullopt;
    out.push_back(std::move(*inner));
  }
  return out;
}

std::optional<TextValue> tilewright::layout::parseText(std::string_view text, std::string *error) {
  Reader reader(text);
  TextValue value;
  if (!reader.value(value) || !reader.end())
    return fail(error, reader.message);
  return value;
}

bool tilewright::layout::hasOnlyFields(const TextValue &record, std::initializer_list<std::string_view> names,
                                       std::string *error) {
  if (record.kind != TextValue::Record) {
    fail(error, "expected '{'");
    return false;
  }
  for (const auto &[name, value] : record.fields) {
    bool known = false;
    for (std::string_view candidate : names)
      known |= candidate == name;
    if (!known) {
      fail(error, "unknown field '" + name + "'");
      return false;
    }
  }
  return true;
}

std::nullopt_t tilewright::layout::fail(std::string *error, std::string message) {
  if (error)
    *error = std::move(message);
  return std::nullopt;
}
