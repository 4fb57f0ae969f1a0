// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One pass over the types gives the place of each, one over the strings a hash of each name; what is asked for later is
// looked up again, a type or a name at a time. Where the file cannot be mapped nothing is in memory as a whole: strings
// are half of the peak otherwise.
#include "btf/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <cwchar>
#include <iterator>

namespace strata {
namespace {

constexpr size_t kWindowBytes = 64 * 1024;
constexpr size_t kLongestName = 512;  // KSYM_NAME_LEN of the kernel
constexpr uint32_t kUnknown = UINT32_MAX;

struct Kind {
  uint32_t once, each;  // bytes that follow a type of it: by themselves, and for each member, value or parameter
  bool has_name;        // by which it is found
};
constexpr Kind kKinds[] = {
    {.once = kUnknown, .each = 0, .has_name = false},                 // void, which is not in the file
    {.once = sizeof(uint32_t), .each = 0, .has_name = false},         // INT
    {.once = 0, .each = 0, .has_name = false},                        // PTR
    {.once = sizeof(btf_array), .each = 0, .has_name = false},        // ARRAY
    {.once = 0, .each = sizeof(btf_member), .has_name = true},        // STRUCT
    {.once = 0, .each = sizeof(btf_member), .has_name = true},        // UNION
    {.once = 0, .each = sizeof(btf_enum), .has_name = true},          // ENUM
    {.once = 0, .each = 0, .has_name = false},                        // FWD
    {.once = 0, .each = 0, .has_name = true},                         // TYPEDEF
    {.once = 0, .each = 0, .has_name = false},                        // VOLATILE
    {.once = 0, .each = 0, .has_name = false},                        // CONST
    {.once = 0, .each = 0, .has_name = false},                        // RESTRICT
    {.once = 0, .each = 0, .has_name = true},                         // FUNC
    {.once = 0, .each = sizeof(btf_param), .has_name = false},        // FUNC_PROTO
    {.once = sizeof(uint32_t), .each = 0, .has_name = false},         // VAR
    {.once = 0, .each = sizeof(btf_var_secinfo), .has_name = false},  // DATASEC
    {.once = 0, .each = 0, .has_name = false},                        // FLOAT
    {.once = sizeof(uint32_t), .each = 0, .has_name = false},         // DECL_TAG
    {.once = 0, .each = 0, .has_name = false},                        // TYPE_TAG
    {.once = 0, .each = sizeof(btf_enum64), .has_name = true},        // ENUM64
};
static_assert(std::size(kKinds) == BTF_KIND_ENUM64 + 1);

// How many bytes follow a type; kUnknown for a kind that is newer than this program.
uint32_t bytes_after(const btf_type &head) {
  const uint32_t kind = BTF_INFO_KIND(head.info);
  if (kind >= std::size(kKinds) || kKinds[kind].once == kUnknown) return kUnknown;
  return kKinds[kind].once + kKinds[kind].each * BTF_INFO_VLEN(head.info);
}

bool is_found_by_name(const btf_type &head) { return kKinds[BTF_INFO_KIND(head.info)].has_name && head.name_off != 0; }

// Tells most names apart by both of their ends; not 0.
uint32_t hash(std::string_view name) {
  uint64_t first = 0, last = 0;
  std::copy_n(name.data(), std::min(name.size(), sizeof(first)), reinterpret_cast<char *>(&first));
  if (name.size() > sizeof(last)) memcpy(&last, name.data() + name.size() - sizeof(last), sizeof(last));
  const uint64_t mixed = ((first ^ name.size()) * 0x9e3779b97f4a7c15 ^ last) * 0x9e3779b97f4a7c15;
  return static_cast<uint32_t>(mixed >> 32) | 1;
}

}  // namespace

uint32_t BtfFile::Type::words_each() const {
  const uint32_t each = kind() < std::size(kKinds) ? kKinds[kind()].each / sizeof(uint32_t) : 0;
  return each != 0 ? each : static_cast<uint32_t>(rest.size());
}

void BtfFile::Unmap::operator()(const char *memory) const { munmap(const_cast<char *>(memory), bytes); }

std::unique_ptr<BtfFile> BtfFile::open(const std::string &path, const BtfFile *base, uint64_t begins_at) {
  return opened(Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), base, begins_at, true);
}

std::unique_ptr<BtfFile> BtfFile::open(Fd file, const BtfFile *base) { return opened(std::move(file), base, 0, false); }

std::unique_ptr<BtfFile> BtfFile::opened(Fd file, const BtfFile *base, uint64_t begins_at, bool mapped) {
  if (!file) return nullptr;
  std::unique_ptr<BtfFile> types(new BtfFile(std::move(file), base, begins_at));
  if (mapped) types->map();
  return types->scan() ? std::move(types) : nullptr;
}

void BtfFile::map() {
  const off_t end = lseek(file_.get(), 0, SEEK_END);
  const auto bytes = static_cast<size_t>(std::max<off_t>(end, 0));
  void *memory = bytes == 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file_.get(), 0);
  if (memory != MAP_FAILED) mapped_ = {static_cast<const char *>(memory), Unmap{bytes}};
}

bool BtfFile::read(uint64_t at, void *to, size_t bytes) const {
  if (mapped_ && at + bytes <= mapped_.get_deleter().bytes) {
    std::copy_n(mapped_.get() + at, bytes, static_cast<char *>(to));
    return true;
  }
  while (bytes > 0) {
    const ssize_t got = pread(file_.get(), to, bytes, static_cast<off_t>(at));
    if (got <= 0) return false;
    to = static_cast<char *>(to) + got;
    at += static_cast<uint64_t>(got);
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

const char *BtfFile::window(uint64_t at, size_t bytes, std::vector<char> &room) const {
  if (mapped_) return mapped_.get() + at;
  room.resize(bytes);
  return read(at, room.data(), bytes) ? room.data() : nullptr;
}

// hashes_ has where the names are, and then their hashes. Where strings are read, a window of them at a time, whatever
// the order of the types.
bool BtfFile::hash_names() {
  const auto hash_of = [](const char *name, size_t most) {
    return static_cast<wchar_t>(hash({name, strnlen(name, std::min(kLongestName, most))}));
  };
  std::vector<std::vector<uint32_t>> in_window(strings_bytes_ / kWindowBytes + 1);
  for (uint32_t i = 0; i < hashes_.size(); i++) {
    const auto name = static_cast<uint32_t>(hashes_[i]), at = name - first_string_;
    if (name == 0) continue;
    if (name < first_string_)
      hashes_[i] = static_cast<wchar_t>(hash(base_->name(name)));
    else if (at >= strings_bytes_)
      return false;
    else if (mapped_)
      hashes_[i] = hash_of(mapped_.get() + strings_at_ + at, strings_bytes_ - at);
    else
      in_window[at / kWindowBytes].push_back(i);
  }
  std::vector<char> room;
  for (size_t i = 0; i < in_window.size(); i++) {
    if (in_window[i].empty()) continue;
    const size_t begin = i * kWindowBytes, bytes = std::min(kWindowBytes + kLongestName, strings_bytes_ - begin);
    const char *window = this->window(strings_at_ + begin, bytes, room);
    if (window == nullptr) return false;
    for (const uint32_t type : in_window[i]) {
      const size_t at = static_cast<uint32_t>(hashes_[type]) - first_string_ - begin;
      hashes_[type] = hash_of(window + at, bytes - at);
    }
  }
  return true;
}

bool BtfFile::scan() {
  btf_header header = {};
  if (!read(begins_at_, &header, sizeof(header)) || header.magic != BTF_MAGIC || header.version != BTF_VERSION)
    return false;
  types_at_ = begins_at_ + header.hdr_len + header.type_off;
  types_bytes_ = header.type_len;
  strings_at_ = begins_at_ + header.hdr_len + header.str_off;
  strings_bytes_ = header.str_len;
  const off_t end = lseek(file_.get(), 0, SEEK_END);
  const auto size = static_cast<uint64_t>(std::max<off_t>(end, 0));
  if (types_at_ + types_bytes_ > size || strings_at_ + strings_bytes_ > size) return false;
  if (base_) {
    first_id_ = base_->end();
    first_string_ = base_->first_string_ + base_->strings_bytes_;
  }

  hashes_.reserve(types_bytes_ / sizeof(btf_type));
  offsets_.reserve(hashes_.capacity());  // what is not used of them is never touched
  std::vector<char> room;
  const char *window = nullptr;
  uint32_t begin = 0, window_end = 0;  // of the window in the section
  for (uint32_t at = 0; at < types_bytes_;) {
    btf_type head = {};
    if (types_bytes_ - at < sizeof(head)) return false;
    if (at + sizeof(head) > window_end) {
      const uint32_t left = types_bytes_ - at;
      const size_t bytes = mapped_ ? left : std::min<size_t>(kWindowBytes, left);
      window = this->window(types_at_ + at, bytes, room);
      if (window == nullptr) return false;
      begin = at;
      window_end = at + static_cast<uint32_t>(bytes);
    }
    memcpy(&head, window + (at - begin), sizeof(head));
    const uint32_t after = bytes_after(head);
    if (after == kUnknown || after > types_bytes_ - at - sizeof(head)) return false;
    offsets_.push_back(at);
    hashes_.push_back(is_found_by_name(head) ? static_cast<wchar_t>(head.name_off) : 0);
    at += static_cast<uint32_t>(sizeof(head)) + after;
  }
  return hash_names();
}

BtfFile::Type BtfFile::type(uint32_t id) const {
  if (id < first_id_) return base_ ? base_->type(id) : Type();
  if (id - first_id_ >= offsets_.size()) return {};
  const uint64_t at = types_at_ + offsets_[id - first_id_];
  Type type;
  if (!read(at, &type.head, sizeof(type.head))) return {};
  type.rest.resize(bytes_after(type.head) / sizeof(uint32_t));
  if (!read(at + sizeof(type.head), type.rest.data(), type.rest.size() * sizeof(uint32_t))) return {};
  return type;
}

std::string BtfFile::name(uint32_t offset) const {
  if (offset < first_string_) return base_->name(offset);
  char text[kLongestName] = {};
  const uint32_t at = offset - first_string_;
  if (at >= strings_bytes_) return "";
  const size_t bytes = std::min<size_t>(sizeof(text), strings_bytes_ - at);
  return read(strings_at_ + at, text, bytes) ? std::string(text, strnlen(text, bytes)) : "";
}

std::vector<uint32_t> BtfFile::named(std::string_view name) const {
  std::vector<uint32_t> found;
  const auto wanted = static_cast<wchar_t>(hash(name));
  const wchar_t *at = hashes_.data(), *const end = at + hashes_.size();
  for (; (at = wmemchr(at, wanted, static_cast<size_t>(end - at))) != nullptr; at++) {
    const uint32_t id = first_id_ + static_cast<uint32_t>(at - hashes_.data());
    if (this->name(type(id).head.name_off) == name) found.push_back(id);
  }
  return found;
}

uint32_t BtfFile::named(std::string_view name, uint32_t kind) const {
  for (const uint32_t id : named(name)) {
    if (type(id).kind() == kind) return id;
  }
  return 0;
}

std::map<std::string, BtfFile::Enumerator> BtfFile::enumerators() const {
  std::map<std::string, Enumerator> values;
  for (uint32_t id = first_id_; id < end(); id++)
    for (auto &[name, value] : enumerators(id)) values.emplace(std::move(name), Enumerator{value, id});
  return values;
}

std::vector<std::pair<std::string, uint64_t>> BtfFile::enumerators(uint32_t id) const {
  std::vector<std::pair<std::string, uint64_t>> found;
  const Type one = type(id);
  const bool wide = one.kind() == BTF_KIND_ENUM64;
  if (!wide && one.kind() != BTF_KIND_ENUM) return found;
  const bool is_signed = BTF_INFO_KFLAG(one.head.info) != 0;
  const uint32_t words = wide ? 3 : 2;
  for (size_t i = 0; i + words <= one.rest.size(); i += words) {
    const uint64_t sign = is_signed && one.rest[i + 1] >> 31 != 0 ? UINT32_MAX : 0;
    const uint64_t high = wide ? one.rest[i + 2] : sign;
    found.emplace_back(name(one.rest[i]), high << 32 | one.rest[i + 1]);
  }
  return found;
}

}  // namespace strata
