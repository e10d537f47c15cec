// An open package as the runtime holds it.
#ifndef TILEWRIGHT_LIB_RUNTIME_PACKAGE_H
#define TILEWRIGHT_LIB_RUNTIME_PACKAGE_H

#include "Support.h"
#include "Tilewright/Package/Reader.h"

#include "Package_generated.h"

struct twrt_package {
  tilewright::package::PackageView view;
  char *folder = nullptr; ///< With its last slash; "" for the current one.

  const tilewright::package::fb::Package &table() const { return *view.table; }
};

namespace tilewright::runtime {
void fillLaunchInfo(const package::fb::Launch &launch, twrt_launch_info *info);
} // namespace tilewright::runtime

#endif // TILEWRIGHT_LIB_RUNTIME_PACKAGE_H
