// The system calls that strata iosize knows.
#pragma once

#include <sys/stat.h>
#include <sys/syscall.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "iosize/iosize.h"

namespace strata {

struct IoCall {
  uint32_t number;
  std::string_view name;
  bool writes, sized;        // sized: its third argument is the size that it asks for
  bool unless_named = true;  // counted without --calls
};

inline constexpr IoCall kIoCalls[] = {
    {SYS_read, "read", false, true},
    {SYS_pread64, "pread64", false, true},
    {SYS_readv, "readv", false, false},
    {SYS_preadv, "preadv", false, false},
    {SYS_preadv2, "preadv2", false, false},
    {SYS_write, "write", true, true},
    {SYS_pwrite64, "pwrite64", true, true},
    {SYS_writev, "writev", true, false},
    {SYS_pwritev, "pwritev", true, false},
    {SYS_pwritev2, "pwritev2", true, false},
    {SYS_recvfrom, "recvfrom", false, true, false},
    {SYS_recvmsg, "recvmsg", false, false, false},
    {SYS_sendto, "sendto", true, true, false},
    {SYS_sendmsg, "sendmsg", true, false, false},
    {SYS_sendfile, "sendfile", true, false, false},
    {SYS_splice, "splice", true, false, false},
    {SYS_copy_file_range, "copy_file_range", true, false, false},
};

using CallFlags = std::array<uint8_t, IOSIZE_CALLS>;  // by number

// Of "read,sendto", "reads" or "writes"; all that are counted by themselves for "". Of these, with `sized`, the ones
// that tell what they ask for. Throws a usage Error.
inline CallFlags calls_of(std::string_view text, bool sized) {
  CallFlags set = {};
  const auto add = [&](const IoCall &call) {
    set[call.number] = static_cast<uint8_t>(IOSIZE_WANTED | (call.writes ? IOSIZE_WRITING : 0));
  };
  for (const IoCall &call : kIoCalls)
    if (text.empty() && call.unless_named && (call.sized || !sized)) add(call);
  for (bool more = !text.empty(); more;) {
    const std::string_view word = text.substr(0, text.find(','));
    more = word.size() < text.size();
    text.remove_prefix(word.size() + more);
    std::string known;
    bool found = false;
    for (const IoCall &call : kIoCalls) {
      const bool kind = call.unless_named && (call.sized || !sized) && word == (call.writes ? "writes" : "reads");
      known += std::string(call.name) + ", ";
      if (word == call.name && sized && !call.sized)
        throw usage_error("--of: " + std::string(word) + " does not tell in its arguments what it asks for");
      if (kind || word == call.name) add(call), found = true;
    }
    if (!found) throw usage_error("--calls takes some of " + known + "reads, writes, not '" + printable(word) + "'");
  }
  return set;
}

inline std::string io_call_name(uint32_t number) {
  for (const IoCall &call : kIoCalls)
    if (call.number == number) return std::string(call.name);
  return "syscall " + std::to_string(number);
}

inline constexpr std::string_view kKinds = "file|pipe|socket|device|disk";

inline uint32_t type_of_kind(std::string_view kind) {  // S_IF*; 0 of any
  constexpr std::pair<std::string_view, uint32_t> kTypes[] = {
      {"file", S_IFREG}, {"pipe", S_IFIFO}, {"socket", S_IFSOCK}, {"device", S_IFCHR}, {"disk", S_IFBLK}};
  for (const auto &[name, type] : kTypes)
    if (name == kind) return type;
  return 0;
}

}  // namespace strata
