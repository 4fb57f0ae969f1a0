// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which process has a socket open, by the inode of the socket's file: found in /proc, where nothing need be traced.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace strata {

struct SocketOwner {
  uint32_t tgid = 0;  // 0: nobody who is asked for
  std::string comm;
};

// "socket:[4711]" -> 4711; 0 if it is none.
uint64_t socket_inode(std::string_view link);

class SocketOwners {
 public:
  using Asks = std::function<bool(uint32_t tgid, const std::string &comm)>;

  // `asks`: is this process asked for? Of several that have a socket, the one with the highest number is its owner.
  explicit SocketOwners(Asks asks, std::string proc = "/proc") : asks_(std::move(asks)), proc_(std::move(proc)) {}

  // All processes. What may not wait for all of them, `between` does: it is called for each, and for some thousand
  // files.
  void scan(const std::function<void()> &between = [] {});
  const SocketOwner *find(uint64_t inode);                   // nullptr: not among those of the last scan
  void miss(uint64_t inode) { owners_.try_emplace(inode); }  // nobody's: not to be looked for at each reading

 private:
  void scan_process(uint32_t tgid, const std::function<void()> &between);

  Asks asks_;
  std::string proc_;
  std::unordered_map<uint64_t, SocketOwner> owners_;
};

}  // namespace strata
