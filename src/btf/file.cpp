// One pass over the types gives the place of each, one over the strings a hash of each name; what is asked for later is
// read again, a type or a name at a time. Nothing is in memory as a whole: strings are half of the peak otherwise.
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
  return open(Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), base);
}

std::unique_ptr<BtfFile> BtfFile::open(Fd file, const BtfFile *base) {
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

// A window of the strings at a time, whatever the order of the types.
bool BtfFile::hash_names(const std::vector<uint32_t> &names) {
  std::vector<std::vector<uint32_t>> ids_of(strings_bytes_ / kWindowBytes + 1);
  for (uint32_t i = 0; i < names.size(); i++) {
    const uint32_t name = names[i], id = first_id_ + i;
    if (name == 0) continue;
    if (name < first_string_) {
      ids_.push_back(id);
      hashes_.push_back(hash(base_->name(name)));
    } else if (name - first_string_ < strings_bytes_) {
      ids_of[(name - first_string_) / kWindowBytes].push_back(id);
    } else {
      return false;
    }
  }
  std::vector<char> window;
  for (uint32_t begin = 0; begin < strings_bytes_; begin += kWindowBytes) {
    window.assign(std::min<size_t>(kWindowBytes, strings_bytes_ - begin) + kLongestName, '\0');
    if (!read(strings_at_ + begin, window.data(), std::min<size_t>(window.size(), strings_bytes_ - begin)))
      return false;
    for (const uint32_t id : ids_of[begin / kWindowBytes]) {
      const char *name = window.data() + (names[id - first_id_] - first_string_ - begin);
      ids_.push_back(id);
      hashes_.push_back(hash({name, strnlen(name, kLongestName)}));
    }
  }
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
    first_id_ = base_->end();
    first_string_ = base_->first_string_ + base_->strings_bytes_;
  }

  std::vector<uint32_t> names;  // of each type; 0: it has none that is looked for
  names.reserve(types_bytes_ / sizeof(btf_type));
  offsets_.reserve(names.capacity());  // what is not used of them is never touched
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
    if (after == kUnknown || after > types_bytes_ - at - sizeof(head)) return false;
    offsets_.push_back(at);
    names.push_back(is_found_by_name(head) ? head.name_off : 0);
    at += static_cast<uint32_t>(sizeof(head)) + after;
  }
  return hash_names(names);
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
  std::sort(found.begin(), found.end());
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
