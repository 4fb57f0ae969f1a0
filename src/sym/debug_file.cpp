// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/debug_file.h"

#include <elf.h>
#include <lzma.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "sym/elf.h"
#include "sym/mapped.h"

namespace strata {
namespace {

constexpr std::string_view kDebugFolder = "/usr/lib/debug";
// The symbols of the largest programs of Fedora take 10 MiB, unpacked in 0.1 s; a hostile section could be any size.
constexpr uint64_t kMostUnpacked = 32 << 20, kMostUnpackMemory = 64 << 20;

std::string build_id(const ElfFile &elf) {
  const std::vector<std::byte> note = elf.section(".note.gnu.build-id").bytes;
  constexpr size_t kHead = sizeof(Elf64_Nhdr) + 4;  // "GNU"
  std::string id;
  if (note.size() <= kHead || note.size() > kHead + 64) return id;
  for (size_t i = kHead; i < note.size(); i++) {
    char two[3];
    snprintf(two, sizeof(two), "%02x", static_cast<unsigned>(note[i]));
    id += two;
  }
  return id;
}

struct DebugLink {
  std::string name;
  uint32_t checksum = 0;
};

// A name with its end, up to three bytes of padding, and a CRC-32.
std::optional<DebugLink> debug_link(const ElfFile &elf) {
  const std::vector<std::byte> section = elf.section(".gnu_debuglink").bytes;
  if (section.empty()) return std::nullopt;
  DebugLink link;
  const auto *const text = reinterpret_cast<const char *>(section.data());
  link.name.assign(text, strnlen(text, section.size()));
  const size_t sum_at = link.name.size() / 4 * 4 + 4;
  if (section.size() < sum_at + sizeof(link.checksum)) return std::nullopt;
  memcpy(&link.checksum, &section[sum_at], sizeof(link.checksum));
  if (link.name.empty() || link.name.find('/') != std::string::npos) return std::nullopt;
  return link;
}

template <typename IsIt>
Fd open_if(const ElfFile &elf, const Fd &root, const std::string &path, IsIt is_it) {
  Fd file = open_below(root, path);
  const ElfFile debug(file.get());
  const bool trusted = debug.owner() == 0 || debug.owner() == elf.owner();
  return debug.valid() && trusted && is_it(debug) ? std::move(file) : Fd();
}

Fd open_by_id(const ElfFile &elf, const Fd &root) {
  const std::string id = build_id(elf);
  if (id.empty()) return Fd();
  const std::string path = std::string(kDebugFolder) + "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug";
  return open_if(elf, root, path, [&](const ElfFile &debug) { return build_id(debug) == id; });
}

Fd open_by_link(const ElfFile &elf, const std::string &path, const Fd &root) {
  const std::optional<DebugLink> link = debug_link(elf);
  if (!link) return Fd();
  // A path without a root is one that was typed, below the directory that strata is in.
  const std::string whole = std::filesystem::absolute(path);
  const std::string folder = whole.substr(0, whole.rfind('/') + 1);
  for (const std::string &place : {folder, folder + ".debug/", std::string(kDebugFolder) + folder}) {
    const auto is_it = [&](const ElfFile &debug) { return debug.checksum() == link->checksum; };
    if (Fd file = open_if(elf, root, place + link->name, is_it)) return file;
  }
  return Fd();
}

}  // namespace

Fd open_debug_file(const ElfFile &elf, const std::string &path, const Fd &root) {
  if (!elf.valid()) return Fd();
  if (Fd file = open_by_id(elf, root)) return file;
  if (Fd file = open_by_link(elf, path, root)) return file;
  return open_by_id(elf, open_root(static_cast<uint32_t>(getpid())));  // of a container that has none
}

Fd unpacked_debug_data(const ElfFile &elf) {
  const std::vector<std::byte> packed = elf.section(".gnu_debugdata").bytes;
  lzma_stream stream = LZMA_STREAM_INIT;
  if (packed.empty() || lzma_stream_decoder(&stream, kMostUnpackMemory, 0) != LZMA_OK) return Fd();
  Fd file(memfd_create("debugdata", MFD_CLOEXEC));
  std::vector<uint8_t> block(1 << 16);
  stream.next_in = reinterpret_cast<const uint8_t *>(packed.data());
  stream.avail_in = packed.size();
  lzma_ret result = LZMA_OK;
  while (result == LZMA_OK && stream.total_out < kMostUnpacked) {
    stream.next_out = block.data();
    stream.avail_out = block.size();
    result = lzma_code(&stream, LZMA_FINISH);
    const size_t bytes = block.size() - stream.avail_out;
    if (write(file.get(), block.data(), bytes) != static_cast<ssize_t>(bytes)) result = LZMA_DATA_ERROR;
  }
  lzma_end(&stream);
  return result == LZMA_STREAM_END ? std::move(file) : Fd();
}

}  // namespace strata
