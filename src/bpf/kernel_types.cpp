#include "bpf/kernel_types.h"

#include <bpf/btf.h>
#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "bpf/log.h"
#include "kern/proc.h"

namespace strata {

namespace {

struct FreeBtf {
  void operator()(btf *types) const { btf__free(types); }
};
using Btf = std::unique_ptr<btf, FreeBtf>;

struct Module {
  std::string name;
  Btf types;
};

constexpr const char *kBtfFolder = "/sys/kernel/btf";

// Modules that are loaded now; their types are numbered on from vmlinux's.
std::vector<Module> read_module_btfs(btf *base) {
  std::vector<Module> modules;
  std::unique_ptr<DIR, int (*)(DIR *)> folder(opendir(kBtfFolder), closedir);
  if (!folder || !base) return modules;
  while (const dirent *entry = readdir(folder.get())) {
    std::string name = entry->d_name;
    if (name[0] == '.' || name == "vmlinux") continue;
    Btf module(btf__parse_split((std::string(kBtfFolder) + "/" + name).c_str(), base));
    if (module) modules.push_back({.name = std::move(name), .types = std::move(module)});
  }
  return modules;
}

btf *base_btf() {
  capture_libbpf_log();
  static const Btf types(btf__parse((std::string(kBtfFolder) + "/vmlinux").c_str(), nullptr));
  return types.get();
}

// The types of one kind by the hashes of their names. Comparing all names anew for each question, as
// btf__find_by_name_kind() does, and for a module those of vmlinux too, took most of a tool's start.
class NameIndex {
 public:
  // Of the types from `first` on.
  NameIndex(const btf *types, uint32_t first, uint32_t kind, std::string_view prefix) : types_(types) {
    for (uint32_t id = first; id < btf__type_cnt(types); ++id) {
      const btf_type *type = btf__type_by_id(types, id);
      if (btf_kind(type) != kind) continue;
      const std::string_view name = btf__name_by_offset(types, type->name_off);
      if (name.starts_with(prefix)) hashes_.push_back(hash(name)), ids_.push_back(id);
    }
  }

  [[nodiscard]] uint32_t find(std::string_view name) const {  // 0: none has this name
    const uint32_t wanted = hash(name);
    for (auto at = hashes_.begin(); (at = std::find(at, hashes_.end(), wanted)) != hashes_.end(); ++at) {
      const uint32_t id = ids_[static_cast<size_t>(at - hashes_.begin())];
      if (name == btf__name_by_offset(types_, btf__type_by_id(types_, id)->name_off)) return id;
    }
    return 0;
  }

 private:
  static uint32_t hash(std::string_view name) { return static_cast<uint32_t>(std::hash<std::string_view>()(name)); }

  const btf *types_;
  std::vector<uint32_t> hashes_, ids_;
};

struct Names {
  Names(const btf *types, uint32_t first, std::string module)
      : types(types),
        module(std::move(module)),
        tracepoints(types, first, BTF_KIND_TYPEDEF, "btf_trace_"),
        functions(types, first, BTF_KIND_FUNC, "") {}

  const btf *types;
  std::string module;  // empty: vmlinux
  NameIndex tracepoints, functions;
};

// vmlinux's; the modules' come with the first name that it lacks.
const std::vector<Names> &vmlinux_names() {
  static const std::vector<Names> names = [] {
    std::vector<Names> result;
    if (base_btf()) result.emplace_back(base_btf(), 1, "");
    return result;
  }();
  return names;
}

const std::vector<Names> &module_names() {
  static const std::vector<Module> modules = read_module_btfs(base_btf());
  static const std::vector<Names> names = [] {
    std::vector<Names> result;
    for (const Module &module : modules)
      result.emplace_back(module.types.get(), btf__type_cnt(base_btf()), module.name);
    return result;
  }();
  return names;
}

struct Found {
  const Names *names = nullptr;
  uint32_t id = 0;
  explicit operator bool() const { return id != 0; }
};

Found find(std::string_view name, NameIndex Names::*index) {
  for (auto *part : {&vmlinux_names, &module_names}) {
    for (const Names &names : part()) {
      if (const uint32_t id = (names.*index).find(name)) return {&names, id};
    }
  }
  return {};
}

Found find_tracepoint(const std::string &name) { return find("btf_trace_" + name, &Names::tracepoints); }
Found find_function(const std::string &name) { return find(name, &Names::functions); }
bool in_btf(const std::string &function) { return static_cast<bool>(find_function(function)); }
TypeId type_id(const Found &found) { return found ? TypeId{found.id, found.names->module} : TypeId{}; }

// Has each loaded module its types in BTF? Not before 5.11, nor where its BTF was made for another kernel.
bool btf_is_whole() {
  static const bool whole = [] {
    std::ifstream modules("/proc/modules");  // absent from a kernel without modules
    for (std::string line; std::getline(modules, line);) {
      const std::string path = std::string(kBtfFolder) + "/" + line.substr(0, line.find(' '));
      if (access(path.c_str(), R_OK) != 0) return false;
    }
    return base_btf() != nullptr;
  }();
  return whole;
}

// A long list of names, one a line, kept as text: it is searched a few times and costs a third of a set's memory.
class NameList {
 public:
  void add(std::string_view name) { text_.append(name) += '\n'; }
  [[nodiscard]] bool empty() const { return text_.size() == 1; }
  [[nodiscard]] bool contains(const std::string &name) const {
    return text_.find("\n" + name + "\n") != std::string::npos;
  }

 private:
  std::string text_ = "\n";
};

// All functions, from kallsyms (which shows names, if not addresses, to everybody).
const NameList &symbols() {
  static const NameList names = [] {
    NameList list;
    std::ifstream file("/proc/kallsyms");
    for (std::string line; std::getline(file, line);) {
      const std::string_view name = text_symbol(line);
      if (!name.empty()) list.add(name);
    }
    return list;
  }();
  return names;
}

// What ftrace can reach; empty when tracefs cannot be read, and then nothing is known.
const NameList &traceable() {
  static const NameList names = [] {
    NameList list;
    std::ifstream file("/sys/kernel/tracing/available_filter_functions");
    for (std::string line; std::getline(file, line);) list.add(std::string_view(line).substr(0, line.find(' ')));
    return list;
  }();
  return names;
}

std::set<std::string> &expected_traceable() {
  static std::set<std::string> names;
  return names;
}

}  // namespace

TypeId typed_tracepoint(const std::string &name) { return type_id(find_tracepoint(name)); }
TypeId typed_function(const std::string &name) { return type_id(find_function(name)); }

const btf *vmlinux_btf() { return base_btf(); }

bool has_typed_tracepoint(const std::string &name) { return static_cast<bool>(find_tracepoint(name)); }

// A module without BTF still has the function that walks the tracepoint's probes (since 5.10, d25e37d89dd2).
bool has_tracepoint(const std::string &name) {
  const std::string function = "__traceiter_" + name;
  return has_typed_tracepoint(name) || in_btf(function) || (!btf_is_whole() && symbols().contains(function));
}

bool has_function(const std::string &name) { return in_btf(name) || symbols().empty() || symbols().contains(name); }

bool has_typed_function(const std::string &name) {
  if (!in_btf(name)) return false;
  return expected_traceable().count(name) > 0 || traceable().empty() || traceable().contains(name);
}

void expect_traceable(const std::string &function) { expected_traceable().insert(function); }

int tracepoint_args(const std::string &name) {
  const Found found = find_tracepoint(name);
  if (!found) return -1;
  const btf *types = found.names->types;
  const btf_type *type = btf__type_by_id(types, btf__type_by_id(types, found.id)->type);  // the pointer
  if (type) type = btf__type_by_id(types, type->type);                                    // to a function
  if (!type || !btf_is_func_proto(type)) return -1;
  return btf_vlen(type) - 1;
}

}  // namespace strata
