// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/usdt.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "sym/elf.h"

namespace strata {
namespace {

constexpr uint32_t kStapsdt = 3;  // the type of such a note

class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> bytes) : left_(bytes) {}

  [[nodiscard]] size_t left() const { return left_.size(); }
  uint64_t number(size_t size) {
    uint64_t value = 0;
    const std::span<const std::byte> from = take(size);
    memcpy(&value, from.data(), from.size());
    return value;
  }
  // With what stands behind it until a multiple of 4.
  std::span<const std::byte> padded(size_t size) {
    const std::span<const std::byte> taken = take(size);
    take((4 - size % 4) % 4);
    return taken;
  }
  // nullopt: it has no end.
  std::optional<std::string> text() {
    const auto end = std::ranges::find(left_, std::byte{0});
    if (end == left_.end()) return std::nullopt;
    const std::span<const std::byte> taken = take(static_cast<size_t>(end - left_.begin()) + 1);
    return std::string(reinterpret_cast<const char *>(taken.data()), taken.size() - 1);
  }

 private:
  std::span<const std::byte> take(size_t size) {
    const std::span<const std::byte> taken = left_.first(std::min(size, left_.size()));
    left_ = left_.subspan(taken.size());
    return taken;
  }

  std::span<const std::byte> left_;
};

std::optional<UsdtProbe> probe_of(Bytes description, size_t address_bytes) {
  UsdtProbe made;
  made.address = description.number(address_bytes);
  made.base = description.number(address_bytes);
  made.semaphore = description.number(address_bytes);
  for (std::string *text : {&made.provider, &made.name, &made.arguments}) {
    std::optional<std::string> one = description.text();
    if (!one) return std::nullopt;
    *text = std::move(*one);
  }
  return made;
}

}  // namespace

std::vector<UsdtProbe> usdt_probes(std::span<const std::byte> notes, bool narrow) {
  std::vector<UsdtProbe> found;
  Bytes left(notes);
  while (left.left() >= 12) {
    const uint64_t name_size = left.number(4), size = left.number(4), type = left.number(4);
    const std::span<const std::byte> name = left.padded(name_size), description = left.padded(size);
    const std::string_view owner(reinterpret_cast<const char *>(name.data()), name.size());
    if (type != kStapsdt || owner != std::string_view("stapsdt", 8) || description.size() != size) continue;
    if (std::optional<UsdtProbe> one = probe_of(Bytes(description), narrow ? 4 : 8)) found.push_back(std::move(*one));
  }
  return found;
}

// The address of a semaphore lies in the section .probes.
std::vector<UsdtProbe> usdt_probes(const ElfFile &file) {
  std::vector<UsdtProbe> probes = usdt_probes(file.section(".note.stapsdt").bytes, file.narrow());
  if (probes.empty()) return probes;
  const ElfFile::Section base = file.section(".stapsdt.base"), counters = file.section(".probes");
  std::erase_if(probes, [&](UsdtProbe &probe) {
    const uint64_t moved = base.address == 0 ? 0 : base.address - probe.base;
    const uint64_t address = probe.address + moved, counter = probe.semaphore + moved - counters.address;
    const auto segments = file.segments();
    const auto of =
        std::ranges::find_if(segments, [&](const ElfFile::Segment &one) { return address - one.address < one.bytes; });
    if (of == segments.end() || (probe.semaphore != 0 && counter >= counters.bytes.size())) return true;
    probe.offset = address - of->address + of->offset;
    if (probe.semaphore != 0) probe.semaphore_offset = counter + counters.offset;
    return false;
  });
  return probes;
}

}  // namespace strata
