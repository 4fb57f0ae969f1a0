// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Memory is bounded by what is here, or by what the file has on disk (sym/elf_reader.h). Rejected: libelf, which reads
// a section as a whole before it gives the first symbol of it.
#include "sym/elf.h"

#include <elf.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "sym/elf_reader.h"

namespace strata {
namespace {

struct Class64 {
  using Header = Elf64_Ehdr;
  using Part = Elf64_Phdr;
  using Section = Elf64_Shdr;
  using Symbol = Elf64_Sym;
};
struct Class32 {
  using Header = Elf32_Ehdr;
  using Part = Elf32_Phdr;
  using Section = Elf32_Shdr;
  using Symbol = Elf32_Sym;
};

constexpr size_t kMostParts = 256, kMostSections = 4096;
constexpr uint64_t kMostNames = 1 << 20;  // bytes of the names of sections
constexpr size_t kSymbolsAtOnce = 1024;
constexpr size_t kMostNameBytes = 1024;  // of a function that is listed; longer ones of C++ are nobody's to type

bool runs_here(unsigned machine) {
#if defined(__x86_64__)
  return machine == EM_X86_64 || machine == EM_386;
#elif defined(__aarch64__)
  return machine == EM_AARCH64;
#else
  return false;
#endif
}

// The strings of one section, of which the pages that were read last stay.
class Strings {
 public:
  Strings(ElfReader &reader, uint64_t offset, uint64_t bytes)
      : reader_(reader), offset_(offset), bytes_(bytes), pages_(kPages) {}

  std::optional<std::string> text(uint64_t at, size_t longest) {
    std::string text;
    while (text.size() <= longest && at < bytes_) {
      const char *from = byte(at);
      if (from == nullptr) return std::nullopt;
      const auto here = static_cast<size_t>(
          std::min({kPageBytes - at % kPageBytes, bytes_ - at, uint64_t{longest} + 1 - text.size()}));
      const void *end = memchr(from, '\0', here);
      text.append(from, end == nullptr ? here : static_cast<size_t>(static_cast<const char *>(end) - from));
      if (end != nullptr) return text;
      at += here;
    }
    return std::nullopt;
  }

 private:
  static constexpr uint64_t kPageBytes = 1024;
  static constexpr size_t kPages = 1024;
  struct Page {
    uint64_t number = UINT64_MAX;
    std::array<char, kPageBytes> bytes;
  };

  const char *byte(uint64_t at) {
    Page &page = pages_[at / kPageBytes % kPages];
    if (page.number != at / kPageBytes) {
      const uint64_t start = at / kPageBytes * kPageBytes;
      page.number = UINT64_MAX;
      if (!reader_.read(offset_ + start, page.bytes.data(), std::min(kPageBytes, bytes_ - start))) return nullptr;
      page.number = at / kPageBytes;
    }
    return &page.bytes[at % kPageBytes];
  }

  ElfReader &reader_;
  uint64_t offset_, bytes_;
  std::vector<Page> pages_;
};

}  // namespace

ElfFile::ElfFile(int fd) : fd_(fd) {
  struct stat status = {};
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return;
  owner_ = status.st_uid;
  bytes_ = static_cast<uint64_t>(status.st_size);
  stored_ = std::min<uint64_t>(static_cast<uint64_t>(status.st_blocks) * 512, bytes_);
  unsigned char id[EI_NIDENT];
  if (!ElfReader(fd_, bytes_, stored_).read(0, id, sizeof(id)) || memcmp(id, ELFMAG, SELFMAG) != 0 ||
      id[EI_DATA] != ELFDATA2LSB)
    return;
  narrow_ = id[EI_CLASS] == ELFCLASS32;
  if (narrow_)
    read_head<Class32>();
  else if (id[EI_CLASS] == ELFCLASS64)
    read_head<Class64>();
}

template <typename Class>
void ElfFile::read_head() {
  ElfReader reader(fd_, bytes_, stored_);
  typename Class::Header header;
  std::vector<typename Class::Part> parts;
  if (!reader.read(0, &header, sizeof(header)) || !runs_here(header.e_machine)) return;
  entry_ = header.e_entry;
  moves_ = header.e_type == ET_DYN;
  if (header.e_phentsize != sizeof(parts[0]) || header.e_phnum > kMostParts) return;
  if (!reader.read_table(header.e_phoff, header.e_phnum, parts)) return;
  for (const auto &part : parts) {
    interpreted_ |= part.p_type == PT_INTERP;
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    segments_.push_back({.address = part.p_vaddr, .offset = part.p_offset, .bytes = part.p_filesz});
  }
  valid_ = !segments_.empty();
}

template <typename Class>
ElfFile::Section ElfFile::read_section(std::string_view name) const {
  ElfReader reader(fd_, bytes_, stored_);
  Section found;
  typename Class::Header header;
  std::vector<typename Class::Section> sections;
  std::vector<char> names;
  if (!reader.read(0, &header, sizeof(header)) || header.e_shentsize != sizeof(sections[0])) return found;
  if (header.e_shnum > kMostSections || !reader.read_table(header.e_shoff, header.e_shnum, sections)) return found;
  if (header.e_shstrndx >= sections.size()) return found;
  const auto &texts = sections[header.e_shstrndx];
  if (texts.sh_size > kMostNames || !reader.read_table(texts.sh_offset, texts.sh_size, names)) return found;
  for (const auto &section : sections) {
    if (section.sh_type == SHT_NOBITS || section.sh_name >= names.size()) continue;
    const char *text = names.data() + section.sh_name;
    if (std::string_view(text, strnlen(text, names.size() - section.sh_name)) != name) continue;
    found.address = section.sh_addr;
    found.offset = section.sh_offset;
    (void)reader.read_table(section.sh_offset, section.sh_size, found.bytes);
    found.why_not = reader.why();
    return found;
  }
  return found;
}

ElfFile::Section ElfFile::section(std::string_view name) const {
  if (!valid_) return {};
  return narrow_ ? read_section<Class32>(name) : read_section<Class64>(name);
}

std::vector<std::byte> ElfFile::code(const Segment &segment) const {
  ElfReader reader(fd_, bytes_, stored_);
  std::vector<std::byte> code;
  (void)reader.read_table(segment.offset, segment.bytes, code);
  return code;
}

std::optional<uint32_t> ElfFile::checksum() const {
  ElfReader reader(fd_, bytes_, stored_);
  std::vector<Bytef> block(1 << 16);
  uLong sum = crc32(0, nullptr, 0);
  for (uint64_t at = 0; at < bytes_;) {
    const auto some = static_cast<uInt>(std::min<uint64_t>(block.size(), bytes_ - at));
    if (!reader.goes_on() || !reader.read(at, block.data(), some)) return std::nullopt;
    sum = crc32(sum, block.data(), some);
    at += some;
  }
  return static_cast<uint32_t>(sum);
}

// each(names, symbol) of each that is in the file, until the reader stops.
template <typename Class, typename Each>
void ElfFile::each_symbol(ElfReader &reader, const Each &each) const {
  typename Class::Header header;
  std::vector<typename Class::Section> sections;
  if (!reader.read(0, &header, sizeof(header)) || header.e_shentsize != sizeof(sections[0])) return;
  if (header.e_shnum > kMostSections || !reader.read_table(header.e_shoff, header.e_shnum, sections)) return;
  std::vector<typename Class::Symbol> symbols;
  for (const auto &section : sections) {
    if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_SYMTAB) continue;
    if (section.sh_link >= sections.size()) continue;
    const auto &texts = sections[section.sh_link];
    Strings strings(reader, texts.sh_offset, texts.sh_size);
    const uint64_t count = section.sh_size / sizeof(symbols[0]);
    for (uint64_t at = 0; at < count && reader.goes_on(); at += kSymbolsAtOnce) {
      const size_t some = static_cast<size_t>(std::min<uint64_t>(kSymbolsAtOnce, count - at));
      if (!reader.read_table(section.sh_offset + at * sizeof(symbols[0]), some, symbols)) break;
      for (const auto &symbol : symbols)
        if (symbol.st_shndx != SHN_UNDEF) each(strings, symbol);
    }
  }
}

template <typename Class, typename Each>
void ElfFile::each_function(ElfReader &reader, const Each &each) const {
  each_symbol<Class>(reader, [&](Strings &strings, const auto &symbol) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC) each(strings, symbol);
  });
}

std::optional<uint64_t> ElfFile::offset_of(uint64_t address) const {
  for (const Segment &one : segments_)
    if (address >= one.address && address - one.address < one.bytes) return address - one.address + one.offset;
  return std::nullopt;
}

std::optional<uint64_t> ElfFile::address_of(uint64_t offset) const {
  for (const Segment &one : segments_)
    if (offset >= one.offset && offset - one.offset < one.bytes) return offset - one.offset + one.address;
  return std::nullopt;
}

template <typename Class>
std::optional<ElfFile::Symbol> ElfFile::find_symbol(std::string_view name) const {
  ElfReader reader(fd_, bytes_, stored_);
  std::optional<Symbol> found;
  each_symbol<Class>(reader, [&](Strings &strings, const auto &symbol) {
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (found || (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE && type != STT_GNU_IFUNC)) return;
    if (strings.text(symbol.st_name, name.size()) != name) return;
    found = {.address = symbol.st_value, .bytes = symbol.st_size};
    reader.stop("it was found");
  });
  return found;
}

std::optional<ElfFile::Symbol> ElfFile::symbol(std::string_view name) const {
  if (!valid_) return std::nullopt;
  return narrow_ ? find_symbol<Class32>(name) : find_symbol<Class64>(name);
}

template <typename Class>
ElfFile::Functions ElfFile::find(std::span<const std::string_view> names) const {
  ElfReader reader(fd_, bytes_, stored_);
  Functions all;
  size_t longest = 0;
  for (const std::string_view name : names) longest = std::max(longest, name.size());
  each_function<Class>(reader, [&](Strings &strings, const auto &symbol) {
    const std::optional<std::string> text = strings.text(symbol.st_name, longest);
    const auto name = text ? std::find(names.begin(), names.end(), *text) : names.end();
    const std::optional<uint64_t> offset = offset_of(symbol.st_value);
    if (name == names.end() || !offset) return;
    const auto is_it = [&](const Function &other) { return other.offset == *offset; };
    if (std::any_of(all.found.begin(), all.found.end(), is_it)) return;
    if (all.found.size() == kMostPlaces) return reader.stop("they are too many places");
    all.found.push_back({.name = static_cast<size_t>(name - names.begin()), .offset = *offset});
  });
  all.why_not_all = reader.why();
  return all;
}

ElfFile::Functions ElfFile::functions(std::span<const std::string_view> names) const {
  if (!valid_) return {};
  return narrow_ ? find<Class32>(names) : find<Class64>(names);
}

template <typename Class>
ElfFile::NamedFunctions ElfFile::list() const {
  ElfReader reader(fd_, bytes_, stored_);
  NamedFunctions all;
  each_function<Class>(reader, [&](Strings &strings, const auto &symbol) {
    std::optional<std::string> name = strings.text(symbol.st_name, kMostNameBytes);
    const std::optional<uint64_t> offset = offset_of(symbol.st_value);
    if (name && !name->empty() && offset) all.found.push_back({.name = std::move(*name), .offset = *offset});
  });
  all.why_not_all = reader.why();
  return all;
}

ElfFile::NamedFunctions ElfFile::functions() const {
  if (!valid_) return {};
  return narrow_ ? list<Class32>() : list<Class64>();
}

}  // namespace strata
