// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/read/sources.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace strata {

namespace {

constexpr Field kFrom{.decode = {.type = Type::kText},
                      .key = "sources",
                      .title = "",
                      .help = "of a read: where its bytes came from, in their order in the file"};
constexpr Field kCached{.key = "cache_bytes",
                        .title = "CACHED",
                        .unit = Unit::kBytes,
                        .help = "of a read: found in the page cache",
                        .hidden = true};
constexpr Field kRead{.key = "device_bytes",
                      .title = "FROM DEVICE",
                      .unit = Unit::kBytes,
                      .help = "of a read: by its own I/O",
                      .hidden = true};
constexpr Field kOthers{.key = "others_bytes",
                        .title = "FROM OTHERS",
                        .unit = Unit::kBytes,
                        .help = "of a read: by I/O of others that was under way",
                        .hidden = true};
constexpr Field kNoIo{.key = "no_io_bytes",
                      .title = "NO I/O",
                      .unit = Unit::kBytes,
                      .help = "of a read: a hole, kept in the inode, or by O_DIRECT from the page cache",
                      .hidden = true};
constexpr Field kAhead{.key = "ahead_bytes",
                       .title = "READAHEAD",
                       .unit = Unit::kBytes,
                       .help = "of a read: what it had read beyond its own bytes",
                       .hidden = true};
constexpr const Field *kColumns[] = {&kFrom, &kCached, &kRead, &kOthers, &kNoIo, &kAhead};

constexpr size_t kMostParts = 16;

struct Part {
  uint64_t lo, hi;
  std::string from;
};

void add_parts(std::vector<Part> &parts, const Ranges &bytes, const std::string &from) {
  for (const auto &[lo, hi] : bytes) parts.push_back({lo, hi, from});
}

std::string text_of(std::vector<Part> parts, uint64_t ahead) {
  std::sort(parts.begin(), parts.end(), [](const Part &a, const Part &b) { return a.lo < b.lo; });
  std::string text;
  for (size_t i = 0; i < std::min(parts.size(), kMostParts); ++i)
    text += (i == 0 ? "" : ", ") + scaled_bytes(parts[i].hi - parts[i].lo) + " " + parts[i].from;
  if (parts.size() > kMostParts) text += ", and " + std::to_string(parts.size() - kMostParts) + " more parts";
  if (ahead != 0) text += "; " + scaled_bytes(ahead) + " readahead";
  return text;
}

}  // namespace

const std::span<const Field *const> kSourceColumns = kColumns;

std::vector<NamedValue> Sources::fields(uint64_t lo, uint64_t hi, uint64_t size, bool direct) const {
  Ranges cached(lo, hi);
  std::vector<Part> parts;
  const auto take = [&](const Ranges &bytes, const std::string &from) {
    const Ranges part = cached.within(bytes);
    cached.remove(part);
    add_parts(parts, part, from);
    return part.bytes();
  };
  uint64_t device = take(own, "from device");
  uint64_t by_others = 0;
  for (const Other &other : others) by_others += take(other.bytes, "read by " + other.who);
  if (compressed) device += take(added, "from device, compressed");
  const uint64_t no_io = take(direct ? cached : added, "without I/O");
  const uint64_t in_cache = cached.bytes();
  add_parts(parts, cached, "cached");
  Ranges beyond = own;
  beyond.add(added);
  beyond.remove(lo / page_bytes * page_bytes, (hi + page_bytes - 1) / page_bytes * page_bytes);
  const uint64_t ahead = direct && added.empty() ? 0 : beyond.within(0, size).bytes();
  return {{&kFrom, text_of(std::move(parts), ahead)},
          {&kCached, in_cache},
          {&kRead, device},
          {&kOthers, by_others},
          {&kNoIo, no_io},
          {&kAhead, ahead}};
}

}  // namespace strata
