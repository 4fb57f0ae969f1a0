// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/perf_map.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "base/clock.h"
#include "sym/mapped.h"

namespace strata {
namespace {

constexpr int64_t kReadEveryNs = 100'000'000;

Lines status_of(uint32_t tgid) { return Lines("/proc/" + std::to_string(tgid) + "/status"); }

}  // namespace

PerfMap::PerfMap(uint32_t tgid) {
  Lines status = status_of(tgid);
  *this = PerfMap(open_root(tgid), status);
}

// "Uid:" real, effective, ...; "NSpid:" from our namespace to its own.
PerfMap::PerfMap(Fd root, Lines &status) : root_(std::move(root)) {
  for (std::string line; status.next(line);) {
    const std::string_view last = std::string_view(line).substr(line.rfind('\t') + 1);
    if (line.starts_with("Uid:")) sscanf(line.c_str(), "Uid: %*u %u", &owner_);
    if (line.starts_with("NSpid:")) path_ = "/tmp/perf-" + std::string(last) + ".map";
  }
}

std::string PerfMap::name(uint64_t address) {
  const int64_t now = static_cast<int64_t>(monotonic_ns());
  if (now >= next_read_ns_) {
    read_more();
    next_read_ns_ = now + kReadEveryNs;
  }
  auto at = functions_.upper_bound(address);
  return at == functions_.begin() || address >= (--at)->second.to ? "" : at->second.name;
}

void PerfMap::read_more() {
  if (!file_) file_ = open_below(root_, path_);
  struct stat status {};
  if (!file_ || fstat(file_.get(), &status) != 0 || status.st_uid != owner_) return;
  const size_t bytes = std::min(static_cast<size_t>(status.st_size), kMostBytes);
  if (bytes <= read_) return;
  std::string text(bytes - read_, '\0');
  const ssize_t got = pread(file_.get(), text.data(), text.size(), static_cast<off_t>(read_));
  const std::string_view lines = std::string_view(text).substr(0, static_cast<size_t>(std::max<ssize_t>(got, 0)));
  for (size_t at = 0, end; (end = lines.find('\n', at)) != std::string_view::npos; at = end + 1) {
    add_line(lines.substr(at, end - at));
    read_ += end + 1 - at;
  }
}

// What is written later lies in the place of what was there before.
void PerfMap::add_line(std::string_view line) {
  uint64_t from = 0, size = 0;
  const char *const end = line.data() + line.size();
  const auto start = std::from_chars(line.data(), end, from, 16);
  if (start.ec != std::errc() || start.ptr == end || *start.ptr != ' ') return;
  const auto length = std::from_chars(start.ptr + 1, end, size, 16);
  if (length.ec != std::errc() || length.ptr == end || *length.ptr != ' ') return;
  const std::string_view name(length.ptr + 1, static_cast<size_t>(end - length.ptr - 1));
  if (name.empty() || size == 0 || from + size < from) return;
  auto at = functions_.lower_bound(from);
  if (at != functions_.begin() && std::prev(at)->second.to > from) --at;
  while (at != functions_.end() && at->first < from + size) at = functions_.erase(at);
  if (functions_.size() < kMostFunctions)
    functions_.insert_or_assign(from, Function{.to = from + size, .name = std::string(name.substr(0, kMostName))});
}

}  // namespace strata
