// Writing by rename. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Package/OutputFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool tilewright::writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return false;
    bytes.remove_prefix(count);
  }
  return true;
}

std::string tilewright::writeWholeFile(const std::string &path, std::string_view bytes) {
  auto failed = [&](int reason) { return "cannot write '" + path + "': " + std::strerror(reason); };
  struct stat status;
  // A rename would put a file in the place of a device.
  bool direct = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  std::string temporary = path + ".XXXXXX";
  int fd = direct ? open(path.c_str(), O_WRONLY | O_CLOEXEC) : mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0)
    return failed(errno);
  bool written = writeAll(fd, bytes);
  int reason = errno;
  if (!direct && written) {
    mode_t mask = umask(0); // mkostemp made it private; give it what open(…, 0666) would have
    umask(mask);
    written = fchmod(fd, 0666 & ~mask) == 0;
    reason = errno;
  }
  if (close(fd) != 0 && written)
    written = false, reason = errno;
  if (!direct && written && rename(temporary.c_str(), path.c_str()) != 0)
    written = false, reason = errno;
  if (written)
    return "";
  if (!direct)
    unlink(temporary.c_str());
  return failed(reason);
}
