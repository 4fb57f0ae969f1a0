#include "bpf/kernel_types.h"

#include <bpf/btf.h>
#include <dirent.h>

#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "bpf/log.h"

namespace strata {

namespace {

struct FreeBtf {
  void operator()(btf *types) const { btf__free(types); }
};
using Btf = std::unique_ptr<btf, FreeBtf>;

constexpr const char *kBtfFolder = "/sys/kernel/btf";

// Modules that are loaded now; their types are numbered on from vmlinux's.
std::vector<Btf> read_module_btfs(btf *base) {
  std::vector<Btf> modules;
  std::unique_ptr<DIR, int (*)(DIR *)> folder(opendir(kBtfFolder), closedir);
  if (!folder || !base) return modules;
  while (const dirent *entry = readdir(folder.get())) {
    std::string name = entry->d_name;
    if (name[0] == '.' || name == "vmlinux") continue;
    Btf module(btf__parse_split((std::string(kBtfFolder) + "/" + name).c_str(), base));
    if (module) modules.push_back(std::move(module));
  }
  return modules;
}

btf *base_btf() {
  capture_libbpf_log();
  static const Btf types(btf__parse((std::string(kBtfFolder) + "/vmlinux").c_str(), nullptr));
  return types.get();
}

struct Found {
  const btf *types = nullptr;
  int32_t id = -1;
};

Found find(const std::string &name, uint32_t kind) {
  btf *base = base_btf();
  if (!base) return {};
  int32_t id = btf__find_by_name_kind(base, name.c_str(), kind);
  if (id > 0) return {base, id};
  static const std::vector<Btf> modules = read_module_btfs(base);
  for (const Btf &module : modules) {
    id = btf__find_by_name_kind(module.get(), name.c_str(), kind);
    if (id > 0) return {module.get(), id};
  }
  return {};
}

// Names of all functions, from kallsyms (which shows names, if not addresses, to everybody).
const std::unordered_set<std::string> &symbols() {
  static const std::unordered_set<std::string> names = [] {
    std::unordered_set<std::string> set;
    std::ifstream file("/proc/kallsyms");
    for (std::string line; std::getline(file, line);) {
      size_t kind = line.find(' ');
      if (kind == std::string::npos || kind + 3 > line.size()) continue;
      if (line[kind + 1] != 't' && line[kind + 1] != 'T') continue;
      set.insert(line.substr(kind + 3, line.find('\t') - (kind + 3)));
    }
    return set;
  }();
  return names;
}

// What ftrace can reach; empty when tracefs cannot be read, and then nothing is known.
const std::unordered_set<std::string> &traceable() {
  static const std::unordered_set<std::string> names = [] {
    std::unordered_set<std::string> set;
    std::ifstream file("/sys/kernel/tracing/available_filter_functions");
    for (std::string line; std::getline(file, line);) set.insert(line.substr(0, line.find(' ')));
    return set;
  }();
  return names;
}

}  // namespace

const btf *vmlinux_btf() { return base_btf(); }

bool has_typed_tracepoint(const std::string &name) { return find("btf_trace_" + name, BTF_KIND_TYPEDEF).id > 0; }

// A module without BTF (5.10) still has the function that walks the tracepoint's probes (since 5.10, d25e37d89dd2).
bool has_tracepoint(const std::string &name) {
  return has_typed_tracepoint(name) || symbols().count("__traceiter_" + name) > 0;
}

bool has_function(const std::string &name) { return symbols().empty() || symbols().count(name) > 0; }

bool has_typed_function(const std::string &name) {
  if (find(name, BTF_KIND_FUNC).id <= 0) return false;
  return traceable().empty() || traceable().count(name) > 0;
}

int tracepoint_args(const std::string &name) {
  Found found = find("btf_trace_" + name, BTF_KIND_TYPEDEF);
  if (found.id <= 0) return -1;
  const btf_type *type = btf__type_by_id(found.types, static_cast<uint32_t>(found.id));
  type = btf__type_by_id(found.types, type->type);            // the pointer
  if (type) type = btf__type_by_id(found.types, type->type);  // to a function
  if (!type || !btf_is_func_proto(type)) return -1;
  return btf_vlen(type) - 1;
}

}  // namespace strata
