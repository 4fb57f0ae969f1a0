#include "subsys/code_file.h"

#include <elf.h>
#include <fcntl.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

namespace strata {
namespace {

std::string hex(uint64_t number) {
  char text[2 * sizeof(number) + 3];
  snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

// Where distributions put the symbols that they strip: by the identity of the build, which a note has.
std::string debug_path(const ElfFile &elf) {
  const std::vector<std::byte> note = elf.section(".note.gnu.build-id").bytes;
  constexpr size_t kHead = sizeof(Elf64_Nhdr) + 4;  // "GNU"
  if (note.size() <= kHead || note.size() > kHead + 64) return "";
  std::string path = "/usr/lib/debug/.build-id/";
  for (size_t i = kHead; i < note.size(); i++) {
    char two[3];
    snprintf(two, sizeof(two), "%02x", static_cast<unsigned>(note[i]));
    path += two;
    if (i == kHead) path += '/';
  }
  return path + ".debug";
}

}  // namespace

CodeFile::CodeFile(Fd file, std::string name) : file_(std::move(file)), name_(std::move(name)), elf_(file_.get()) {}

UnwindTable CodeFile::read_table(UnwindRules &rules) {
  UnwindTable table = read_unwind_table(elf_, rules);
  functions_ = std::move(table.functions);
  return table;
}

std::optional<uint64_t> CodeFile::bias(const CodeMapping &mapping) const {
  for (const ElfFile::Segment &one : elf_.segments()) {
    if (mapping.offset + (mapping.to - mapping.from) <= one.offset || mapping.offset >= one.offset + one.bytes)
      continue;
    return mapping.from - (one.address - one.offset + mapping.offset);
  }
  return std::nullopt;
}

void CodeFile::read_symbols() {
  symbols_.emplace(elf_);
  const std::string path = debug_path(elf_);
  const Fd file = path.empty() ? Fd() : open_regular(path);
  const ElfFile elf(file.get());
  Symbols more(elf);
  if (more.size() > symbols_->size()) symbols_ = std::move(more);
}

std::string CodeFile::name_at(uint64_t address) const {
  if (const auto found = symbols_->find(address)) return demangled(found->name.substr(0, found->name.find('@')));
  auto at = std::upper_bound(functions_.begin(), functions_.end(), address,
                             [](uint64_t wanted, const UnwindFunction &one) { return wanted < one.from; });
  if (at != functions_.begin() && address < (--at)->to) return name_ + ":fn@" + hex(at->from);
  return name_ + "+" + hex(address);
}

const std::string &CodeFile::function(uint64_t address) {
  if (!symbols_) read_symbols();
  const auto [at, is_new] = names_.try_emplace(address);
  if (is_new) at->second = name_at(address);
  return at->second;
}

}  // namespace strata
