// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "object.h"

#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>

#include "base/error.h"

namespace btfcheck {

namespace {

constexpr uint32_t kInsnBytes = sizeof(bpf_insn);

class Reader {
 public:
  explicit Reader(const std::string &file) { object_.file = file; }

  Object read() {
    open();
    for (Elf_Scn *scn = nullptr; (scn = elf_nextscn(elf_.get(), scn));) take_section(scn);
    if (btf_.empty() || btf_ext_.empty()) fail("has no type information (compiled without -g?)");
    object_.types.reset(btf__new(btf_.data(), static_cast<uint32_t>(btf_.size())));
    if (!object_.types) fail("has type information that cannot be read");
    read_functions();
    for (Elf_Scn *scn = nullptr; (scn = elf_nextscn(elf_.get(), scn));) read_elf_relocations(scn);
    read_near_calls();
    read_ext();
    return std::move(object_);
  }

 private:
  using Bytes = std::span<const char>;

  [[noreturn]] void fail(const std::string &why) const {
    throw strata::Error(object_.file + " " + why, strata::kUsageStatus);
  }

  void open() {
    std::ifstream in(object_.file, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    if (!in) fail("cannot be read");
    elf_version(EV_CURRENT);
    elf_.reset(elf_memory(bytes_.data(), bytes_.size()));
    GElf_Ehdr header;
    if (!elf_ || !gelf_getehdr(elf_.get(), &header) || header.e_machine != EM_BPF) fail("is no object of BPF programs");
    if (elf_getshdrstrndx(elf_.get(), &names_) != 0) fail("has no names of sections");
  }

  Bytes data(Elf_Scn *scn) const {
    const Elf_Data *data = elf_rawdata(scn, nullptr);
    if (!data || !data->d_buf) return {};
    return {static_cast<const char *>(data->d_buf), data->d_size};
  }

  void take_section(Elf_Scn *scn) {
    GElf_Shdr header;
    if (!gelf_getshdr(scn, &header)) fail("has a section that cannot be read");
    const char *name = elf_strptr(elf_.get(), names_, header.sh_name);
    if (!name) fail("has a section without a name");
    if (header.sh_type == SHT_SYMTAB) symbols_ = scn, symbol_names_ = header.sh_link;
    if (strcmp(name, ".BTF") == 0) btf_ = data(scn);
    if (strcmp(name, ".BTF.ext") == 0) btf_ext_ = data(scn);
    if (header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_EXECINSTR)) return;
    const Bytes code = data(scn);
    if (code.size() < kInsnBytes) return;
    Section section = {.name = name};
    section.insns.resize(code.size() / kInsnBytes);
    memcpy(section.insns.data(), code.data(), section.insns.size() * kInsnBytes);
    index_[elf_ndxscn(scn)] = object_.sections.size();
    object_.sections.push_back(std::move(section));
  }

  void read_functions() {
    GElf_Sym symbol;
    for (int i = 0; symbols_ && gelf_getsym(elf_getdata(symbols_, nullptr), i, &symbol); ++i) {
      const auto at = index_.find(symbol.st_shndx);
      if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || at == index_.end()) continue;
      const char *name = elf_strptr(elf_.get(), symbol_names_, symbol.st_name);
      Section &section = object_.sections[at->second];
      const auto first = static_cast<uint32_t>(symbol.st_value / kInsnBytes);
      const auto count = static_cast<uint32_t>(symbol.st_size / kInsnBytes);
      if (first + count > section.insns.size()) fail("has a function that is longer than its section");
      const bool global =
          GELF_ST_BIND(symbol.st_info) != STB_LOCAL && GELF_ST_VISIBILITY(symbol.st_other) == STV_DEFAULT;
      section.functions[first] = {name ? name : "", at->second, first, count, global};
    }
  }

  // Remembers that an instruction refers to the function which begins at `target`, if one does.
  void refer(Section &from, uint32_t insn, size_t section, uint64_t target) {
    const auto &functions = object_.sections[section].functions;
    const auto found = functions.find(static_cast<uint32_t>(target));
    if (found != functions.end()) from.calls[insn] = found->second;
  }

  void read_elf_relocations(Elf_Scn *scn) {
    GElf_Shdr header;
    GElf_Rel relocation;
    if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_REL || !index_.count(header.sh_info)) return;
    Section &section = object_.sections[index_[header.sh_info]];
    for (int i = 0; gelf_getrel(elf_getdata(scn, nullptr), i, &relocation); ++i) {
      const auto insn = static_cast<uint32_t>(relocation.r_offset / kInsnBytes);
      GElf_Sym symbol;
      if (insn >= section.insns.size()) fail("has a relocation outside of its section");
      if (!gelf_getsym(elf_getdata(symbols_, nullptr), static_cast<int>(GELF_R_SYM(relocation.r_info)), &symbol))
        fail("has a relocation without a symbol");
      const auto offset = static_cast<int64_t>(section.insns[insn].imm);
      const bool call = section.insns[insn].code == (BPF_JMP | BPF_CALL);
      if (!call) section.addresses[insn] = true;
      const auto target = index_.find(symbol.st_shndx);
      if (target == index_.end()) continue;
      const uint64_t place = symbol.st_value + static_cast<uint64_t>(call ? (offset + 1) * kInsnBytes : offset);
      refer(section, insn, target->second, place / kInsnBytes);
    }
  }

  // Calls within a section need no relocation.
  void read_near_calls() {
    for (size_t i = 0; i < object_.sections.size(); ++i) {
      Section &section = object_.sections[i];
      for (uint32_t at = 0; at < section.insns.size(); ++at) {
        const bpf_insn &insn = section.insns[at];
        if (insn.code != (BPF_JMP | BPF_CALL) || insn.src_reg != BPF_PSEUDO_CALL || section.calls.count(at)) continue;
        refer(section, at, i, static_cast<uint64_t>(int64_t{at} + insn.imm + 1));
      }
    }
  }

  // .BTF.ext: a header, then for each kind of information the size of its records, and records by section.
  struct ExtHeader {
    uint16_t magic;
    uint8_t version, flags;
    uint32_t hdr_len, func_info_off, func_info_len, line_info_off, line_info_len, core_relo_off, core_relo_len;
  };

  template <typename Value>
  Value take(Bytes &from) const {
    Value value = {};
    if (from.size() < sizeof(value)) fail("has a truncated section .BTF.ext");
    memcpy(&value, from.data(), sizeof(value));
    from = from.subspan(sizeof(value));
    return value;
  }

  // Calls what(section, record) for each record of the part at [offset, offset + length).
  template <typename Record, typename What>
  void each_record(Bytes all, uint32_t offset, uint32_t length, What what) {
    if (length == 0) return;
    if (uint64_t{offset} + length > all.size()) fail("has a truncated section .BTF.ext");
    Bytes part = all.subspan(offset, length);
    const auto record_size = take<uint32_t>(part);
    if (record_size < sizeof(Record)) fail("has an unknown version of the section .BTF.ext");
    while (!part.empty()) {
      const std::string name = text(take<uint32_t>(part));
      const auto count = take<uint32_t>(part);
      const auto section = std::find_if(object_.sections.begin(), object_.sections.end(),
                                        [&](const Section &one) { return one.name == name; });
      if (uint64_t{count} * record_size > part.size()) fail("has a truncated section .BTF.ext");
      for (uint32_t i = 0; i < count; ++i) {
        Bytes record = part.subspan(size_t{i} * record_size, record_size);
        if (section != object_.sections.end()) what(*section, take<Record>(record));
      }
      part = part.subspan(size_t{count} * record_size);
    }
  }

  std::string text(uint32_t offset) const { return std::string(Type{object_.types.get(), 0}.text(offset)); }

  // The compiler writes the folder of the compilation, "." with the Makefile's flags, before a relative name.
  static std::string here(const std::string &file) { return file.starts_with("./") ? file.substr(2) : file; }

  void add_line(Section &section, const bpf_line_info &one) const {
    section.lines[one.insn_off / kInsnBytes] = {here(text(one.file_name_off)), BPF_LINE_INFO_LINE_NUM(one.line_col)};
  }

  void add_relocation(Section &section, const bpf_core_relo &one) const {
    const uint32_t insn = one.insn_off / kInsnBytes;
    uint32_t kind = 0;
    memcpy(&kind, &one.kind, sizeof(kind));
    if (insn >= section.insns.size()) fail("has a relocation outside of its section");
    if (kind > BPF_CORE_TYPE_MATCHES) fail("has a relocation of an unknown kind");
    section.relocations.push_back({insn, one.type_id, text(one.access_str_off), one.kind});
  }

  void read_ext() {
    Bytes rest = btf_ext_;
    const auto header = take<ExtHeader>(rest);
    if (header.magic != BTF_MAGIC || header.hdr_len > btf_ext_.size()) fail("has an unknown section .BTF.ext");
    const Bytes all = btf_ext_.subspan(header.hdr_len);
    each_record<bpf_line_info>(all, header.line_info_off, header.line_info_len,
                               [&](Section &section, const bpf_line_info &one) { add_line(section, one); });
    if (header.hdr_len < sizeof(header)) return;  // without relocations
    each_record<bpf_core_relo>(all, header.core_relo_off, header.core_relo_len,
                               [&](Section &section, const bpf_core_relo &one) { add_relocation(section, one); });
  }

  Object object_;
  std::string bytes_;
  struct End {
    void operator()(Elf *elf) const { elf_end(elf); }
  };
  std::unique_ptr<Elf, End> elf_;
  size_t names_ = 0, symbol_names_ = 0;
  Elf_Scn *symbols_ = nullptr;
  Bytes btf_, btf_ext_;
  std::map<size_t, size_t> index_;  // from the ELF file's number of a section to ours
};

}  // namespace

Object read_object(const std::string &file) { return Reader(file).read(); }

}  // namespace btfcheck
