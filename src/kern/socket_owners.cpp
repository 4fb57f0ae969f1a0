// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/socket_owners.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <vector>

#include "base/lines.h"

namespace strata {
namespace {

using Directory = std::unique_ptr<DIR, int (*)(DIR *)>;

// A whole text that is a number; 0 if it is none.
template <typename Number>
Number number_of(std::string_view text) {
  Number number = 0;
  const auto [end, err] = std::from_chars(text.data(), text.data() + text.size(), number);
  return err == std::errc() && end == text.data() + text.size() ? number : 0;
}

// In the order of their numbers.
std::vector<uint32_t> processes_of(const std::string &proc) {
  std::vector<uint32_t> processes;
  const Directory directory(opendir(proc.c_str()), closedir);
  while (const dirent *one = directory ? readdir(directory.get()) : nullptr) {
    if (const auto tgid = number_of<uint32_t>(one->d_name)) processes.push_back(tgid);
  }
  std::sort(processes.begin(), processes.end());
  return processes;
}

}  // namespace

uint64_t socket_inode(std::string_view link) {
  constexpr std::string_view kBegin = "socket:[";
  if (!link.starts_with(kBegin) || !link.ends_with(']')) return 0;
  link.remove_prefix(kBegin.size());
  link.remove_suffix(1);
  return number_of<uint64_t>(link);
}

void SocketOwners::scan_process(uint32_t tgid, const std::function<void()> &between) {
  constexpr size_t kFiles = 4096;
  const std::string path = proc_ + "/" + std::to_string(tgid);
  const SocketOwner owner = {.tgid = tgid, .comm = first_line(path + "/comm")};
  if (!asks_(tgid, owner.comm)) return;
  const Directory files(opendir((path + "/fd").c_str()), closedir);
  char link[64];
  size_t seen = 0;
  while (const dirent *one = files ? readdir(files.get()) : nullptr) {
    if (++seen % kFiles == 0) between();
    const ssize_t n = readlinkat(dirfd(files.get()), one->d_name, link, sizeof(link));
    if (n <= 0) continue;
    if (const uint64_t inode = socket_inode({link, static_cast<size_t>(n)})) owners_[inode] = owner;
  }
}

void SocketOwners::scan(const std::function<void()> &between) {
  owners_.clear();
  for (const uint32_t tgid : processes_of(proc_)) {
    scan_process(tgid, between);
    between();
  }
}

const SocketOwner *SocketOwners::find(uint64_t inode) {
  const auto found = owners_.find(inode);
  return found == owners_.end() ? nullptr : &found->second;
}

}  // namespace strata
