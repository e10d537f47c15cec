// Tuning records: for kernels that were measured on a chip, the schedule that was fastest. Text, one record a
// line, in a stable order; no MLIR, so that a machine with the runtime alone can write them.
//
//   # tilewright tuning records, version 1
//   sm_90a matmul 4096x4096x4096 bf16,bf16:bf16 content=9c1f5a0b6d2e8f73 us=176.42 spread=0.8 model=177.9
//       gpu="NVIDIA H200" driver=580.159.04 commit=cf510a6 schedule=#tile.schedule<…>
//
// (one line). Arch and content are the key: the content is a digest of the kernel's body after fusion, so of
// shapes, types and epilogue alike; what stands between them is for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TUNER_RECORDS_H
#define TILEWRIGHT_TUNER_RECORDS_H

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tuner {

struct Record {
  std::string arch;    ///< `sm_90a`.
  std::string anchor;  ///< `matmul`, `reduction`, …
  std::string shape;   ///< Of the kernel's domain, `4096x4096x4096`.
  std::string types;   ///< Element types of arguments and results, `bf16,bf16:bf16`.
  std::string content; ///< 16 hexadecimal digits.
  double microseconds = 0;
  double spread = 0;   ///< Half the distance of the quartiles, in per cent of the median.
  double modelled = 0; ///< What the model said, microseconds; 0: nothing.
  std::string gpu;     ///< `NVIDIA H200`; no quotes or control characters.
  std::string driver, commit;
  std::string schedule; ///< As the attribute prints: `#tile.schedule<…>`.
  unsigned line = 0;    ///< Where it stands in its file, from 1.
};

/// Records by key; at most one for each.
class Records {
public:
  /// Reads records; a sentence that starts with `name:line:column:` when the text is malformed, else empty.
  /// What was read before is kept.
  std::string parse(std::string_view text, const std::string &name);

  /// Adds a record; of two for one key the faster stays, of equals the one whose schedule comes first.
  void add(Record record);

  /// The record of a kernel, or null.
  const Record *find(std::string_view arch, std::string_view content) const;

  /// In order of arch, anchor, shape, types, content.
  const std::vector<Record> &list() const { return records; }

  /// The records as text that parses.
  std::string text() const;

private:
  std::vector<Record> records;
};

/// Reads the records at `path`: `none` and an empty path give none, `builtin` those that came with the
/// compiler. A sentence on failure, else empty.
std::string readRecords(const std::string &path, Records &records);

/// The text of the records that came with the compiler.
std::string_view builtinRecords();

} // namespace tilewright::tuner

#endif // TILEWRIGHT_TUNER_RECORDS_H
