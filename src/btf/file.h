// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The types of a kernel, looked up in their file. Of 5 MB a tool needs some names and a few structures; libbpf would
// read all, copy it, and do so anew for each object. The format: Documentation/bpf/btf.rst of the kernel.
//
// Rejected: an index over libbpf's own copy (21 MB); types of each kernel in the binary, which would be large, and
// wrong for kernels that nobody knew.
#pragma once

#include <linux/btf.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"

namespace strata {

class BtfFile {
 public:
  // A module's file stands on vmlinux's, which must live longer. nullptr: it cannot be read, or is not BTF.
  // By its path it is mapped if it can be (vmlinux's since 6.16, which does not count as memory of this
  // process), and read in pieces otherwise: a read of sysfs has 4 KiB. It may begin in the midst of a file, as a
  // section.
  static std::unique_ptr<BtfFile> open(const std::string &path, const BtfFile *base = nullptr, uint64_t begins_at = 0);
  static std::unique_ptr<BtfFile> open(Fd file, const BtfFile *base = nullptr);

  struct Type {
    btf_type head = {};          // kind 0 (void) for an id that the file does not have
    std::vector<uint32_t> rest;  // what follows it: members, values, parameters

    [[nodiscard]] uint32_t kind() const { return BTF_INFO_KIND(head.info); }
    [[nodiscard]] uint32_t vlen() const { return BTF_INFO_VLEN(head.info); }
    // Of `rest`, for each member, value or parameter; of an array or a number all of it is one.
    [[nodiscard]] uint32_t words_each() const;
  };
  [[nodiscard]] Type type(uint32_t id) const;                                                        // of the base too
  [[nodiscard]] uint32_t end() const { return first_id_ + static_cast<uint32_t>(offsets_.size()); }  // ids are below
  [[nodiscard]] std::string name(uint32_t offset) const;  // of Type::head.name_off, or one in `rest`

  // Those of this file alone, of all kinds that have names of their own, in their order.
  [[nodiscard]] std::vector<uint32_t> named(std::string_view name) const;
  [[nodiscard]] uint32_t named(std::string_view name, uint32_t kind) const;  // the first; 0: none

  struct Enumerator {
    uint64_t value = 0;
    uint32_t of = 0;  // the enumeration
  };
  [[nodiscard]] std::map<std::string, Enumerator> enumerators() const;  // of all enumerations, by their names
  [[nodiscard]] std::vector<std::pair<std::string, uint64_t>> enumerators(uint32_t id) const;  // of one, in their order

 private:
  BtfFile(Fd file, const BtfFile *base, uint64_t begins_at)
      : file_(std::move(file)), base_(base), begins_at_(begins_at) {}
  static std::unique_ptr<BtfFile> opened(Fd file, const BtfFile *base, uint64_t begins_at, bool mapped);
  void map();
  bool read(uint64_t at, void *to, size_t bytes) const;
  const char *window(uint64_t at, size_t bytes, std::vector<char> &room) const;  // in the mapping, or read into `room`
  bool scan();
  bool hash_names();

  struct Unmap {
    size_t bytes;
    void operator()(const char *memory) const;
  };

  Fd file_;
  std::unique_ptr<const char, Unmap> mapped_;
  const BtfFile *base_;
  uint64_t begins_at_;
  uint64_t types_at_ = 0, strings_at_ = 0;
  uint32_t types_bytes_ = 0, strings_bytes_ = 0;
  uint32_t first_id_ = 1, first_string_ = 0;  // what the base has goes before
  std::vector<uint32_t> offsets_;             // of each type in its section
  std::vector<wchar_t> hashes_;  // of its name, for wmemchr(3), which compares many at once; 0: it has none
};

// Where a type lies; no file: there is none.
struct BtfType {
  const BtfFile *file = nullptr;
  uint32_t id = 0;
};

}  // namespace strata
