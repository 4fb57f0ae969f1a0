// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "btf/kernel_types.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lines.h"
#include "base/pattern.h"
#include "base/text.h"
#include "btf/file.h"
#include "btf/subset.h"
#include "kern/proc.h"

namespace strata {

namespace {

constexpr const char *kBtfFolder = "/sys/kernel/btf";

struct Module {
  std::string name;
  std::unique_ptr<BtfFile> types;
};

// A long list of names, one a line, kept as text: it is searched a few times and costs a third of a set's memory.
class NameList {
 public:
  void add(std::string_view name) { text_.append(name) += '\n'; }
  [[nodiscard]] bool empty() const { return text_.size() == 1; }
  [[nodiscard]] bool contains(const std::string &name) const {
    return text_.find("\n" + name + "\n") != std::string::npos;
  }
  [[nodiscard]] std::vector<std::string> like(std::string_view prefix, const std::string &pattern) const {
    std::vector<std::string> found;
    for (const std::string_view line : split(text_, '\n'))
      if (line.size() > prefix.size() && line.starts_with(prefix) &&
          pattern_matches(pattern, std::string(line.substr(prefix.size()))))
        found.emplace_back(line.substr(prefix.size()));
    return found;
  }

 private:
  std::string text_ = "\n";
};

// What was read, when it was asked for first.
struct Read {
  std::optional<std::unique_ptr<BtfFile>> vmlinux;  // nullptr: it cannot be read
  std::optional<std::vector<Module>> modules;       // those that were loaded then; they stand on vmlinux
  std::optional<NameList> symbols;
};

Read &known() {
  static Read read;
  return read;
}

struct Source {
  std::string path = std::string(kBtfFolder) + "/vmlinux";
  uint64_t begins_at = 0;
  bool is_kernel = true;
};

Source &source() {
  static Source source;
  return source;
}

const BtfFile *vmlinux_types() {
  auto &types = known().vmlinux;
  if (!types) types = BtfFile::open(source().path, nullptr, source().begins_at);
  return types->get();
}

std::vector<Module> read_modules() {
  std::vector<Module> result;
  if (!kernel_has_types()) return result;  // they stand on the kernel's own
  std::unique_ptr<DIR, int (*)(DIR *)> folder(opendir(kBtfFolder), closedir);
  if (!folder) return result;
  while (const dirent *entry = readdir(folder.get())) {
    std::string name = entry->d_name;
    if (name[0] == '.' || name == "vmlinux") continue;
    auto types = BtfFile::open(std::string(kBtfFolder) + "/" + name, vmlinux_types());
    if (types) result.push_back({.name = std::move(name), .types = std::move(types)});
  }
  return result;
}

// Only for a name that vmlinux lacks.
const std::vector<Module> &modules() {
  auto &modules = known().modules;
  if (!modules) modules = read_modules();
  return *modules;
}

struct Found {
  const BtfFile *types = nullptr;
  TypeId id;
  explicit operator bool() const { return id.number != 0; }
};

Found find(const std::string &name, uint32_t kind) {
  if (!vmlinux_types()) return {};
  if (const uint32_t id = vmlinux_types()->named(name, kind)) return {vmlinux_types(), {.number = id, .module = ""}};
  for (const Module &module : modules()) {
    if (const uint32_t id = module.types->named(name, kind)) {
      return {module.types.get(), {.number = id, .module = module.name}};
    }
  }
  return {};
}

Found find_tracepoint(const std::string &name) { return find(std::string(kTracepointPrefix) + name, BTF_KIND_TYPEDEF); }
Found find_function(const std::string &name) { return find(name, BTF_KIND_FUNC); }
bool in_btf(const std::string &function) { return static_cast<bool>(find_function(function)); }

// Has each loaded module its types in BTF? Not before 5.11, nor where its BTF was made for another kernel.
bool btf_is_whole() {
  static const bool whole = [] {
    Lines modules("/proc/modules");  // absent from a kernel without modules
    for (std::string line; modules.next(line);) {
      const std::string path = std::string(kBtfFolder) + "/" + line.substr(0, line.find(' '));
      if (access(path.c_str(), R_OK) != 0) return false;
    }
    return kernel_has_types();
  }();
  return whole;
}

// All functions, from kallsyms (which shows names, if not addresses, to everybody).
const NameList &symbols() {
  auto &symbols = known().symbols;
  if (symbols) return *symbols;
  symbols.emplace();
  Lines file("/proc/kallsyms");
  for (std::string line; file.next(line);) {
    const std::string_view name = text_symbol(line);
    if (!name.empty()) symbols->add(name);
  }
  return *symbols;
}

std::vector<std::string> each_once(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

bool read_kernel_types_from(const std::string &path, uint64_t begins_at) {
  if (BtfFile::open(path, nullptr, begins_at) == nullptr) return false;
  source() = {.path = path, .begins_at = begins_at, .is_kernel = false};
  forget_kernel_types();
  return true;
}

bool kernel_has_types() { return source().is_kernel && vmlinux_types() != nullptr; }

// Numbers of a file say nothing to the kernel.
TypeId typed_tracepoint(const std::string &name) { return kernel_has_types() ? find_tracepoint(name).id : TypeId(); }
TypeId typed_function(const std::string &name) { return kernel_has_types() ? find_function(name).id : TypeId(); }

void forget_kernel_types() { known() = {}; }

BtfType kernel_type(const std::string &name, uint32_t kind) {
  const Found found = find(name, kind);
  return {.file = found.types, .id = found.id.number};
}

bool has_kernel_types() { return vmlinux_types() != nullptr; }

std::string kernel_types_for(const RelocatedTypes &wanted, bool of_modules) {
  if (!vmlinux_types()) return "";
  std::vector<const BtfFile *> types;
  if (of_modules)
    for (const Module &module : modules()) types.push_back(module.types.get());
  return btf_subset(*vmlinux_types(), wanted, types);
}

bool has_typed_tracepoint(const std::string &name) { return static_cast<bool>(find_tracepoint(name)); }

// A module without BTF still has the function that walks the tracepoint's probes (since 5.10, d25e37d89dd2).
bool has_tracepoint(const std::string &name) {
  const std::string function = "__traceiter_" + name;
  return has_typed_tracepoint(name) || in_btf(function) || (!btf_is_whole() && symbols().contains(function));
}

bool has_function(const std::string &name) { return in_btf(name) || symbols().empty() || symbols().contains(name); }

// Without the room in front of functions, which has names of its own (6.2).
std::vector<std::string> functions_like(const std::string &pattern) {
  std::vector<std::string> found = symbols().like("", pattern);
  std::erase_if(found, [](const std::string &name) { return name.starts_with("__pfx_"); });
  return each_once(std::move(found));
}

// "ffffffffc0401000 t xfs_file_fsync	[xfs]"; "vmlinux" is all that is in no module.
std::vector<std::string> functions_of_module(const std::string &module, const std::string &pattern) {
  const std::string end = module == "vmlinux" ? "" : "[" + module + "]";
  std::vector<std::string> found;
  Lines file("/proc/kallsyms");
  for (std::string line; file.next(line);) {
    const std::string_view name = text_symbol(line);
    if (name.empty() || (end.empty() ? line.ends_with(']') : !line.ends_with(end))) continue;
    if (name.starts_with("__pfx_")) continue;
    const bool several = pattern.find_first_of("*?[") != std::string::npos;
    if (several ? pattern_matches(pattern, std::string(name)) : name == pattern) found.emplace_back(name);
  }
  return each_once(std::move(found));
}

std::vector<std::string> tracepoints_like(const std::string &pattern) {
  return each_once(symbols().like("__traceiter_", pattern));
}

bool has_typed_function(const std::string &name) { return in_btf(name); }

std::vector<std::pair<std::string, uint32_t>> kernel_enum(const std::string &name) {
  std::vector<std::pair<std::string, uint32_t>> found;
  const uint32_t id = vmlinux_types() ? vmlinux_types()->named(name, BTF_KIND_ENUM) : 0;
  if (id == 0) return found;
  const BtfFile::Type type = vmlinux_types()->type(id);
  for (size_t i = 0; i + 1 < type.rest.size(); i += 2) {
    found.emplace_back(vmlinux_types()->name(type.rest[i]), type.rest[i + 1]);
  }
  return found;
}

int tracepoint_args(const std::string &name) {
  const Found found = find_tracepoint(name);
  if (!found) return -1;
  const BtfFile::Type pointer = found.types->type(found.types->type(found.id.number).head.type);
  const BtfFile::Type function = found.types->type(pointer.head.type);
  return function.kind() == BTF_KIND_FUNC_PROTO ? static_cast<int>(function.vlen()) - 1 : -1;
}

}  // namespace strata
