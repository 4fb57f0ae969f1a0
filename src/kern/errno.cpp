// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/errno.h"

#include <cerrno>
#include <cstring>

namespace strata {

namespace {

constexpr uint64_t kMaxErrno = 4095;  // MAX_ERRNO of include/linux/err.h

// include/linux/errno.h: never meant for user space, yet the BPF system call and tracepoints show them.
const char *kernel_only_name(int err) {
  switch (err) {
    case 512:
      return "ERESTARTSYS";
    case 513:
      return "ERESTARTNOINTR";
    case 514:
      return "ERESTARTNOHAND";
    case 515:
      return "ENOIOCTLCMD";
    case 516:
      return "ERESTART_RESTARTBLOCK";
    case 517:
      return "EPROBE_DEFER";
    case 524:
      return "ENOTSUPP";
    case 529:
      return "EIOCBQUEUED";
    default:
      return nullptr;
  }
}

const char *known_name(int number) {
  const char *name = strerrorname_np(number);
  return name ? name : kernel_only_name(number);
}

struct OtherName {
  std::string_view name;
  int number;
};
constexpr OtherName kOtherNames[] = {{"EWOULDBLOCK", EAGAIN}, {"ENOTSUP", EOPNOTSUPP}, {"EDEADLOCK", EDEADLK}};

// blk_errors[] of block/blk-core.c with the numbers of include/linux/blk_types.h, the same from 5.10 on. 14 to 18 are
// left out: the removal of BLK_STS_ZONE_RESOURCE in 2024 moved those behind it down by one.
constexpr int kBlockErrors[] = {
    0,           // BLK_STS_OK
    EOPNOTSUPP,  // BLK_STS_NOTSUPP
    ETIMEDOUT,   // BLK_STS_TIMEOUT
    ENOSPC,      // BLK_STS_NOSPC
    ENOLINK,     // BLK_STS_TRANSPORT
    EREMOTEIO,   // BLK_STS_TARGET
    EBADE,       // BLK_STS_NEXUS, later BLK_STS_RESV_CONFLICT
    ENODATA,     // BLK_STS_MEDIUM
    EILSEQ,      // BLK_STS_PROTECTION
    ENOMEM,      // BLK_STS_RESOURCE
    EIO,         // BLK_STS_IOERR
    EREMCHG,     // BLK_STS_DM_REQUEUE
    EAGAIN,      // BLK_STS_AGAIN
    EBUSY,       // BLK_STS_DEV_RESOURCE
};
constexpr uint8_t kStatusInvalid = 19;  // BLK_STS_INVAL, 6.11

int known_block_error(uint8_t status) {
  if (status < std::size(kBlockErrors)) return kBlockErrors[status];
  return status == kStatusInvalid ? EINVAL : -1;
}

}  // namespace

std::string errno_name(int64_t err) {
  const uint64_t number = err < 0 ? 0 - static_cast<uint64_t>(err) : static_cast<uint64_t>(err);
  const char *name = known_name(number <= kMaxErrno ? static_cast<int>(number) : -1);
  return name ? name : "errno " + std::to_string(number);
}

int errno_number(std::string_view name) {
  for (const auto &[other, number] : kOtherNames)
    if (name == other) return number;
  for (int number = 1; number <= static_cast<int>(kMaxErrno); number++)
    if (const char *known = known_name(number); known && name == known) return number;
  return 0;
}

std::vector<std::string_view> errno_names() {
  std::vector<std::string_view> names;
  for (int number = 1; number <= static_cast<int>(kMaxErrno); number++)
    if (const char *known = known_name(number)) names.emplace_back(known);
  return names;
}

std::string block_status_name(uint8_t status) {
  int err = known_block_error(status);
  if (err < 0) return "status " + std::to_string(status);
  return err == 0 ? "" : errno_name(err);
}

int block_status_errno(uint8_t status) {
  int err = known_block_error(status);
  return err < 0 ? EIO : err;
}

}  // namespace strata
