// What the fuse stage may do otherwise than its models say, as far as it can be said before there are
// kernels: which of these forms of a program takes least time shows once ptxas has seen its kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_FUSE_FORM_H
#define TILEWRIGHT_FUSE_FORM_H

#include "llvm/ADT/StringRef.h"

#include <array>
#include <optional>
#include <string>

namespace tilewright::fuse {

/// One thing that is done otherwise.
enum class FormSwitch : unsigned {
  /// Reductions of what other kernels read too have pieces for many rounds of blocks, which can be
  /// interleaved with these.
  ManyPieces,
  /// Rows and columns that clusters could keep between passes are cut like others.
  NoClusters,
  /// Rows that are divided for one reading are not read together with others'.
  OwnReadings,
  /// No kernel computes again what another one stores.
  NoRecompute,
  /// Kernels that read the same tensors are not joined.
  NoSiblings,
  /// An op joins the kernel of its earliest producer rather than of its latest.
  EarliestFirst,
  /// What is selected of computed tensors is computed whole.
  NoSelect,
  /// Reductions over different dimensions are in one kernel where small tiles hold all that they run over.
  SmallMixed
};
inline constexpr std::array kFormSwitches = {
    FormSwitch::ManyPieces, FormSwitch::NoClusters,    FormSwitch::OwnReadings, FormSwitch::NoRecompute,
    FormSwitch::NoSiblings, FormSwitch::EarliestFirst, FormSwitch::NoSelect,    FormSwitch::SmallMixed};

/// A set of them.
class Form {
public:
  bool has(FormSwitch which) const { return switches & bit(which); }
  Form with(FormSwitch which) const {
    Form more = *this;
    more.switches |= bit(which);
    return more;
  }
  bool operator==(const Form &other) const { return switches == other.switches; }

  /// `plain`, or the switches' names, such as `many-pieces+no-siblings`, in their order.
  std::string text() const;
  /// Nothing where the text is no form's.
  static std::optional<Form> parse(llvm::StringRef text);

private:
  static unsigned bit(FormSwitch which) { return 1u << (unsigned)which; }
  unsigned switches = 0;
};

/// `many-pieces`, `no-clusters`, …
llvm::StringRef formSwitchName(FormSwitch which);
/// All of them, with commas.
std::string formSwitchNames();

} // namespace tilewright::fuse

#endif // TILEWRIGHT_FUSE_FORM_H
