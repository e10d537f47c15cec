// The text form that layouts and views share: {key=value, ...} with integers, [lists] and nested {records}.
// Internal to Layout.
#ifndef TILEWRIGHT_LIB_LAYOUT_TEXT_H
#define TILEWRIGHT_LIB_LAYOUT_TEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::layout {

struct TextValue {
  enum Kind : uint8_t { Integer, List, Record } kind = Integer;
  int64_t integer = 0;
  std::vector<TextValue> items;
  std::vector<std::pair<std::string, TextValue>> fields;

  /// The field of a record; null when absent.
  const TextValue *field(std::string_view name) const;
  /// A list of integers; nullopt when it is something else.
  std::optional<std::vector<int64_t>> integers() const;
  /// A list of lists of integers.
  std::optional<std::vector<std::vector<int64_t>>> integerLists() const;
};

/// The whole of `text` as one value; on failure says where in `error`.
std::optional<TextValue> parseText(std::string_view text, std::string *error);
/// Whether a record holds only these fields; otherwise names the first other one in `error`.
bool hasOnlyFields(const TextValue &record, std::initializer_list<std::string_view> names,
                   std::string *error);
/// Sets *error when it is wanted, and gives nullopt.
std::nullopt_t fail(std::string *error, std::string message);

template <typename Int> std::string listText(const std::vector<Int> &values) {
  std::string out = "[";
  for (size_t i = 0; i < values.size(); ++i)
    out += (i ? "," : "") + std::to_string(values[i]);
  return out + "]";
}
template <typename Int> std::string listText(const std::vector<std::vector<Int>> &values) {
  std::string out = "[";
  for (size_t i = 0; i < values.size(); ++i)
    out += (i ? "," : "") + listText(values[i]);
  return out + "]";
}

} // namespace tilewright::layout

#endif // TILEWRIGHT_LIB_LAYOUT_TEXT_H
