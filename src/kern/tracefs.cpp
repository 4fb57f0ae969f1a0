// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/tracefs.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mount.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "base/lines.h"

namespace strata {
namespace {

Fd open_mounted() {
  for (const char *path : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    Fd root(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
    struct statfs status = {};
    if (root && fstatfs(root.get(), &status) == 0 && status.f_type == TRACEFS_MAGIC) return root;
  }
  return Fd();
}

// A mount without a place in any tree of files (5.2). By numbers: Debian 12 and its kernel headers have the constants,
// not all glibcs the functions.
Fd mount_own() {
  constexpr unsigned kCreate = 6;  // FSCONFIG_CMD_CREATE
  const Fd context(static_cast<int>(syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC)));
  if (!context || syscall(SYS_fsconfig, context.get(), kCreate, nullptr, nullptr, 0) != 0) return Fd();
  return Fd(static_cast<int>(syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC, 0)));
}

// One that leads nowhere else.
bool is_name(const std::string &text) { return !text.empty() && text[0] != '.' && text.find('/') == std::string::npos; }

}  // namespace

Tracefs::Tracefs() : root_(open_mounted()) {
  if (!root_) root_ = mount_own();
  if (!root_) error_ = errno;
}

std::string Tracefs::folder(const std::string &category) const {
  return "/proc/self/fd/" + std::to_string(root_.get()) + "/events/" + category;
}

std::vector<std::string> Tracefs::folders_in(const std::string &path) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR *)> entries(opendir(path.c_str()), closedir);
  if (!entries) return names;
  while (const dirent *entry = readdir(entries.get()))
    if (entry->d_type == DT_DIR && is_name(entry->d_name)) names.emplace_back(entry->d_name);
  return names;
}

std::vector<std::string> Tracefs::events(const std::string &category) const {
  return root_ && is_name(category) ? folders_in(folder(category)) : std::vector<std::string>();
}

std::vector<std::string> Tracefs::categories() const {
  return root_ ? folders_in(folder("")) : std::vector<std::string>();
}

std::string Tracefs::format(const std::string &category, const std::string &event) const {
  std::string text;
  if (!root_ || !is_name(category) || !is_name(event)) return text;
  Lines lines(folder(category) + "/" + event + "/format");
  for (std::string line; lines.next(line);) text += line + "\n";
  return text;
}

std::optional<uint64_t> Tracefs::id(const std::string &category, const std::string &event) const {
  if (!root_ || !is_name(category) || !is_name(event)) return std::nullopt;
  return number_in<uint64_t>(folder(category) + "/" + event + "/id");
}

}  // namespace strata
