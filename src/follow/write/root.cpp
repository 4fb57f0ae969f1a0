// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/write/root.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/text.h"
#include "bpf/object.h"
#include "kern/proc.h"

namespace strata {

namespace {

// The device number of the super block: stat(2) gives another one on btrfs.
uint32_t super_block_dev(uint64_t mount_id, const struct statx &st) {
  Lines mounts("/proc/self/mountinfo");
  return mounted_device(mount_id, mounts).value_or(st.stx_dev_major << 20 | st.stx_dev_minor);
}

}  // namespace

void set_root(Object &object, const std::string &path, follow_attach_mode &) {
  struct statx st = {};
  if (statx(AT_FDCWD, path.c_str(), 0, STATX_INO | STATX_MNT_ID, &st) != 0)
    throw system_error("cannot follow below --path " + printable(path));
  object.set_constant("root_inode", uint64_t{st.stx_ino});
  object.set_constant("root_dev", super_block_dev(st.stx_mnt_id, st));
}

}  // namespace strata
