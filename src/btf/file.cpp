// One pass over the types, with all strings in memory as long as it takes, gives the place of each type and a hash of
// each name; what is asked for later is read again, a type or a name at a time.
#include "btf/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>

namespace strata {
namespace {

constexpr size_t kWindowBytes = 64 * 1024;
constexpr size_t kLongestName = 512;  // KSYM_NAME_LEN of the kernel
constexpr uint32_t kUnknown = UINT32_MAX;

// How many bytes follow a type; kUnknown for a kind that is newer than this program.
uint32_t bytes_after(const btf_type &head) {
  const uint32_t vlen = BTF_INFO_VLEN(head.info);
  switch (BTF_INFO_KIND(head.info)) {
    case BTF_KIND_PTR:
    case BTF_KIND_FWD:
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_CONST:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_FUNC:
    case BTF_KIND_FLOAT:
    case BTF_KIND_TYPE_TAG:
      return 0;
    case BTF_KIND_INT:
    case BTF_KIND_VAR:
    case BTF_KIND_DECL_TAG:
      return sizeof(uint32_t);
    case BTF_KIND_ARRAY:
      return sizeof(btf_array);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
      return vlen * sizeof(btf_member);
    case BTF_KIND_ENUM:
      return vlen * sizeof(btf_enum);
    case BTF_KIND_ENUM64:
      return vlen * sizeof(btf_enum64);
    case BTF_KIND_FUNC_PROTO:
      return vlen * sizeof(btf_param);
    case BTF_KIND_DATASEC:
      return vlen * sizeof(btf_var_secinfo);
    default:
      return kUnknown;
  }
}

bool is_found_by_name(const btf_type &head) {
  switch (BTF_INFO_KIND(head.info)) {
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_FUNC:
      return head.name_off != 0;
    default:
      return false;
  }
}

uint32_t hash(std::string_view name) { return static_cast<uint32_t>(std::hash<std::string_view>()(name)); }

}  // namespace

uint32_t BtfFile::Type::words_each() const {
  const bool several = kind() == BTF_KIND_STRUCT || kind() == BTF_KIND_UNION || kind() == BTF_KIND_ENUM ||
                       kind() == BTF_KIND_ENUM64 || kind() == BTF_KIND_FUNC_PROTO || kind() == BTF_KIND_DATASEC;
  return several && vlen() != 0 ? static_cast<uint32_t>(rest.size()) / vlen() : static_cast<uint32_t>(rest.size());
}

std::unique_ptr<BtfFile> BtfFile::open(const std::string &path, const BtfFile *base) {
  Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return nullptr;
  std::unique_ptr<BtfFile> types(new BtfFile(std::move(file), base));
  return types->scan() ? std::move(types) : nullptr;
}

bool BtfFile::read(uint64_t at, void *to, size_t bytes) const {
  while (bytes > 0) {
    const ssize_t got = pread(file_.get(), to, bytes, static_cast<off_t>(at));
    if (got <= 0) return false;
    to = static_cast<char *>(to) + got;
    at += static_cast<uint64_t>(got);
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

bool BtfFile::index(uint32_t at, const btf_type &head, const std::string &strings) {
  const auto id = first_id_ + static_cast<uint32_t>(offsets_.size());
  offsets_.push_back(at);
  if (!is_found_by_name(head)) return true;
  if (head.name_off < first_string_) {
    hashes_.push_back(hash(base_->name(head.name_off)));
  } else if (head.name_off - first_string_ < strings.size()) {
    hashes_.push_back(hash(strings.c_str() + (head.name_off - first_string_)));
  } else {
    return false;
  }
  ids_.push_back(id);
  return true;
}

bool BtfFile::scan() {
  btf_header header = {};
  if (!read(0, &header, sizeof(header)) || header.magic != BTF_MAGIC || header.version != BTF_VERSION) return false;
  types_at_ = uint64_t{header.hdr_len} + header.type_off;
  types_bytes_ = header.type_len;
  strings_at_ = uint64_t{header.hdr_len} + header.str_off;
  strings_bytes_ = header.str_len;
  const off_t end = lseek(file_.get(), 0, SEEK_END);
  const auto size = static_cast<uint64_t>(std::max<off_t>(end, 0));
  if (types_at_ + types_bytes_ > size || strings_at_ + strings_bytes_ > size) return false;
  if (base_) {
    first_id_ = base_->first_id_ + static_cast<uint32_t>(base_->offsets_.size());
    first_string_ = base_->first_string_ + base_->strings_bytes_;
  }
  std::string strings(strings_bytes_, '\0');
  if (!read(strings_at_, strings.data(), strings.size())) return false;

  std::vector<char> window;
  uint32_t begin = 0;  // of the window in the section
  for (uint32_t at = 0; at < types_bytes_;) {
    btf_type head = {};
    if (types_bytes_ - at < sizeof(head)) return false;
    if (at < begin || at + sizeof(head) > begin + window.size()) {
      begin = at;
      window.resize(std::min<size_t>(kWindowBytes, types_bytes_ - at));
      if (!read(types_at_ + at, window.data(), window.size())) return false;
    }
    memcpy(&head, window.data() + (at - begin), sizeof(head));
    const uint32_t after = bytes_after(head);
    if (after == kUnknown || after > types_bytes_ - at - sizeof(head) || !index(at, head, strings)) return false;
    at += static_cast<uint32_t>(sizeof(head)) + after;
  }
  return true;
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
  const uint32_t wanted = hash(name);
  for (auto at = hashes_.begin(); (at = std::find(at, hashes_.end(), wanted)) != hashes_.end(); ++at) {
    const uint32_t id = ids_[static_cast<size_t>(at - hashes_.begin())];
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

}  // namespace strata
