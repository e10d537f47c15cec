// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Fuse/Form.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tilewright;
using namespace tilewright::fuse;

llvm::StringRef fuse::formSwitchName(FormSwitch which) {
  switch (which) {
  case FormSwitch::ManyPieces:
    return "many-pieces";
  case FormSwitch::NoClusters:
    return "no-clusters";
  case FormSwitch::OwnReadings:
    return "own-readings";
  case FormSwitch::NoRecompute:
    return "no-recompute";
  case FormSwitch::NoSiblings:
    return "no-siblings";
  case FormSwitch::EarliestFirst:
    return "earliest-first";
  case FormSwitch::NoSelect:
    return "no-select";
  case FormSwitch::SmallMixed:
    return "small-mixed";
  }
  llvm_unreachable("covered switch");
}

std::string fuse::formSwitchNames() {
  return llvm::join(llvm::map_range(kFormSwitches, formSwitchName), ", ");
}

std::string Form::text() const {
  std::string text;
  for (FormSwitch which : kFormSwitches)
    if (has(which))
      text += (text.empty() ? "" : "+") + formSwitchName(which).str();
  return text.empty() ? "plain" : text;
}

std::optional<Form> Form::parse(llvm::StringRef text) {
  Form form;
  if (text == "plain")
    return form;
  llvm::SmallVector<llvm::StringRef> names;
  text.split(names, '+');
  for (llvm::StringRef name : names) {
    auto *which =
        llvm::find_if(kFormSwitches, [&](FormSwitch known) { return formSwitchName(known) == name; });
    if (which == kFormSwitches.end())
      return std::nullopt;
    form = form.with(*which);
  }
  return form;
}
