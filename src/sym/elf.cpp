// Files of containers are read, too, so nothing in them is believed. They are read and not mapped: a mapped file that
// is cut short kills its reader.
#include "sym/elf.h"

#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <optional>

namespace strata {
namespace {

bool runs_here(const GElf_Ehdr &header) {
#if defined(__x86_64__)
  return header.e_machine == EM_X86_64 || header.e_machine == EM_386;
#elif defined(__aarch64__)
  return header.e_machine == EM_AARCH64;
#else
  return false;
#endif
}

}  // namespace

void ElfFile::End::operator()(Elf *elf) const { elf_end(elf); }

ElfFile::ElfFile(int fd) {
  elf_version(EV_CURRENT);
  elf_.reset(elf_begin(fd, ELF_C_READ, nullptr));
  GElf_Ehdr header;
  if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF || gelf_getehdr(elf_.get(), &header) == nullptr) return;
  narrow_ = header.e_ident[EI_CLASS] == ELFCLASS32;
  valid_ = runs_here(header) && read_segments();
}

bool ElfFile::read_segments() {
  size_t count = 0;
  if (elf_getphdrnum(elf_.get(), &count) != 0) return false;
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr part;
    if (gelf_getphdr(elf_.get(), static_cast<int>(i), &part) == nullptr) return false;
    interpreted_ |= part.p_type == PT_INTERP;
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    segments_.push_back({.address = part.p_vaddr, .offset = part.p_offset, .bytes = part.p_filesz});
  }
  return !segments_.empty();
}

std::vector<ElfFile::Function> ElfFile::functions(std::span<const std::string_view> names) const {
  std::vector<Function> found;
  const auto place = [&](uint64_t address) -> std::optional<uint64_t> {
    for (const Segment &one : segments_) {
      if (address >= one.address && address - one.address < one.bytes) return address - one.address + one.offset;
    }
    return std::nullopt;
  };
  const auto add = [&](std::string_view name, uint64_t address) {
    const auto wanted = std::find(names.begin(), names.end(), name);
    const std::optional<uint64_t> offset = wanted != names.end() ? place(address) : std::nullopt;
    if (!offset) return;
    const bool known = std::any_of(found.begin(), found.end(), [&](const auto &one) { return one.offset == *offset; });
    if (!known) found.push_back({.name = static_cast<size_t>(wanted - names.begin()), .offset = *offset});
  };
  for (Elf_Scn *section = nullptr; valid_ && (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
    GElf_Shdr head;
    if (gelf_getshdr(section, &head) == nullptr || (head.sh_type != SHT_DYNSYM && head.sh_type != SHT_SYMTAB)) continue;
    Elf_Data *data = elf_getdata(section, nullptr);
    if (data == nullptr) continue;
    GElf_Sym symbol;
    for (int i = 0; gelf_getsym(data, i, &symbol) != nullptr; i++) {
      if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      const char *name = elf_strptr(elf_.get(), head.sh_link, symbol.st_name);
      if (name != nullptr) add(name, symbol.st_value);
    }
  }
  return found;
}

}  // namespace strata
