// Files of containers are read, too, as root, so nothing in them is believed, and what they cost is bounded: in memory
// by what is here, in reading by what they take on disk, and in time. A sparse file of 4 KiB that claimed 3 GiB of
// symbols took 3 GB of memory and half a minute. They are read and not mapped: a mapped file that is cut short kills
// its reader. Rejected: libelf, which reads a section as a whole before it gives the first symbol of it.
#include "sym/elf.h"

#include <elf.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

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
constexpr uint64_t kFreeBytes = 1 << 20;  // may be read of any file
constexpr uint64_t kReadsOfByte = 16;     // and so often each byte on disk: file systems compress, names are read again
constexpr int64_t kMostCpuNs = 500'000'000;  // glibc takes 2 ms, a program with a million symbols some 100
constexpr size_t kSymbolsAtOnce = 1024;

bool runs_here(unsigned machine) {
#if defined(__x86_64__)
  return machine == EM_X86_64 || machine == EM_386;
#elif defined(__aarch64__)
  return machine == EM_AARCH64;
#else
  return false;
#endif
}

int64_t cpu_ns() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Reads of one file, as long as its budget lasts.
class Reader {
 public:
  Reader(int fd, uint64_t bytes, uint64_t stored)
      : fd_(fd), bytes_(bytes), budget_(kFreeBytes + kReadsOfByte * stored), until_ns_(cpu_ns() + kMostCpuNs) {}

  // False if the file does not have all of them, or nothing more may be read.
  bool read(uint64_t offset, void *to, size_t size) {
    if (offset > bytes_ || size > bytes_ - offset) return false;
    if (size > budget_) why_ = "they are more than the file has on disk";
    if (!why_.empty()) return false;
    budget_ -= size;
    return pread(fd_, to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
  }

  bool goes_on() {
    if (why_.empty() && cpu_ns() > until_ns_) why_ = "it takes too long";
    return why_.empty();
  }
  void stop(std::string_view why) { why_ = why; }
  [[nodiscard]] std::string_view why() const { return why_; }
  [[nodiscard]] uint64_t bytes() const { return bytes_; }

 private:
  int fd_;
  uint64_t bytes_, budget_;
  int64_t until_ns_;
  std::string_view why_;
};

// The strings of one section, of which the pages that were read last stay.
class Strings {
 public:
  Strings(Reader &reader, uint64_t offset, uint64_t bytes)
      : reader_(reader), offset_(offset), bytes_(bytes), pages_(kPages) {}

  // Is it this one of `texts`? Its index.
  std::optional<size_t> index(uint64_t at, std::span<const std::string_view> texts, size_t longest) {
    std::string text;
    for (; text.size() <= longest && at < bytes_; ++at) {
      const char *one = byte(at);
      if (one == nullptr) return std::nullopt;
      if (*one != '\0') {
        text += *one;
        continue;
      }
      const auto found = std::find(texts.begin(), texts.end(), text);
      return found == texts.end() ? std::nullopt : std::optional(static_cast<size_t>(found - texts.begin()));
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

  Reader &reader_;
  uint64_t offset_, bytes_;
  std::vector<Page> pages_;
};

// Entries of a table of the file. False, and none, if it cannot have them.
template <typename Entry>
bool read_table(Reader &reader, uint64_t offset, size_t count, std::vector<Entry> &entries) {
  entries.resize(count);
  if (reader.read(offset, entries.data(), count * sizeof(Entry))) return true;
  entries.clear();
  return false;
}

}  // namespace

ElfFile::ElfFile(int fd) : fd_(fd) {
  struct stat status = {};
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return;
  bytes_ = static_cast<uint64_t>(status.st_size);
  stored_ = std::min<uint64_t>(static_cast<uint64_t>(status.st_blocks) * 512, bytes_);
  unsigned char id[EI_NIDENT];
  if (!Reader(fd_, bytes_, stored_).read(0, id, sizeof(id)) || memcmp(id, ELFMAG, SELFMAG) != 0 ||
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
  Reader reader(fd_, bytes_, stored_);
  typename Class::Header header;
  std::vector<typename Class::Part> parts;
  if (!reader.read(0, &header, sizeof(header)) || !runs_here(header.e_machine)) return;
  if (header.e_phentsize != sizeof(parts[0]) || header.e_phnum > kMostParts) return;
  if (!read_table(reader, header.e_phoff, header.e_phnum, parts)) return;
  for (const auto &part : parts) {
    interpreted_ |= part.p_type == PT_INTERP;
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    segments_.push_back({.address = part.p_vaddr, .offset = part.p_offset, .bytes = part.p_filesz});
  }
  valid_ = !segments_.empty();
}

template <typename Class>
ElfFile::Functions ElfFile::find(std::span<const std::string_view> names) const {
  Reader reader(fd_, bytes_, stored_);
  Functions all;
  typename Class::Header header;
  std::vector<typename Class::Section> sections;
  if (!reader.read(0, &header, sizeof(header)) || header.e_shentsize != sizeof(sections[0])) return all;
  if (header.e_shnum > kMostSections || !read_table(reader, header.e_shoff, header.e_shnum, sections)) return all;
  size_t longest = 0;
  for (const std::string_view name : names) longest = std::max(longest, name.size());
  const auto add = [&](size_t name, uint64_t address) {
    for (const Segment &one : segments_) {
      if (address < one.address || address - one.address >= one.bytes) continue;
      const uint64_t offset = address - one.address + one.offset;
      const auto is_it = [&](const Function &other) { return other.offset == offset; };
      if (std::any_of(all.found.begin(), all.found.end(), is_it)) return;
      if (all.found.size() == kMostPlaces) return reader.stop("they are too many places");
      all.found.push_back({.name = name, .offset = offset});
      return;
    }
  };
  std::vector<typename Class::Symbol> symbols;
  for (const auto &section : sections) {
    if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_SYMTAB) continue;
    if (section.sh_link >= sections.size()) continue;
    const auto &texts = sections[section.sh_link];
    Strings strings(reader, texts.sh_offset, texts.sh_size);
    const uint64_t count = section.sh_size / sizeof(symbols[0]);
    for (uint64_t at = 0; at < count && reader.goes_on(); at += kSymbolsAtOnce) {
      const size_t some = static_cast<size_t>(std::min<uint64_t>(kSymbolsAtOnce, count - at));
      if (!read_table(reader, section.sh_offset + at * sizeof(symbols[0]), some, symbols)) break;
      for (const auto &symbol : symbols) {
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
        const std::optional<size_t> name = strings.index(symbol.st_name, names, longest);
        if (name) add(*name, symbol.st_value);
      }
    }
  }
  all.why_not_all = reader.why();
  return all;
}

ElfFile::Functions ElfFile::functions(std::span<const std::string_view> names) const {
  if (!valid_) return {};
  return narrow_ ? find<Class32>(names) : find<Class64>(names);
}

}  // namespace strata
