#include "kern/syscall.h"

#include <sys/syscall.h>

namespace strata {

namespace {

struct Call {
  int64_t number;
  std::string_view name;
};

constexpr Call kCalls[] = {
    {SYS_read, "read"},         {SYS_pread64, "pread64"},     {SYS_readv, "readv"},
    {SYS_preadv, "preadv"},     {SYS_preadv2, "preadv2"},     {SYS_write, "write"},
    {SYS_pwrite64, "pwrite64"}, {SYS_writev, "writev"},       {SYS_pwritev, "pwritev"},
    {SYS_pwritev2, "pwritev2"}, {SYS_sendfile, "sendfile"},   {SYS_copy_file_range, "copy_file_range"},
    {SYS_splice, "splice"},     {SYS_io_submit, "io_submit"}, {SYS_io_uring_enter, "io_uring_enter"},
    {SYS_fsync, "fsync"},       {SYS_fdatasync, "fdatasync"}, {SYS_sync_file_range, "sync_file_range"},
    {SYS_syncfs, "syncfs"},     {SYS_sync, "sync"},           {SYS_msync, "msync"},
    {SYS_truncate, "truncate"}, {SYS_ftruncate, "ftruncate"}, {SYS_fallocate, "fallocate"},
    {SYS_unlinkat, "unlinkat"}, {SYS_close, "close"},         {SYS_openat, "openat"},
#ifdef SYS_openat2
    {SYS_openat2, "openat2"},
#endif
#ifdef SYS_open
    {SYS_open, "open"},         {SYS_creat, "creat"},
#endif
#ifdef SYS_unlink
    {SYS_unlink, "unlink"},
#endif
};

}  // namespace

std::string syscall_name(uint64_t number) {
  for (const Call &call : kCalls) {
    if (call.number == static_cast<int64_t>(number)) return std::string(call.name);
  }
  return "syscall " + std::to_string(number);
}

int64_t syscall_number(std::string_view name) {
  for (const Call &call : kCalls) {
    if (call.name == name) return call.number;
  }
  return -1;
}

}  // namespace strata
