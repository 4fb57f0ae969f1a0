// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Does every program fit every kernel? As libbpf and the verifier would find out when it is loaded there, but without a
// boot, with the name of the kernel and the line of source; and more strictly than they: a field of another size, or a
// pointer to something else, loads well and gives wrong data.
//   btf-check [--some] OBJECT... KERNEL=FILE...
// KERNEL is any name, FILE what /sys/kernel/btf/vmlinux is there. A guard or a hook that is right on no kernel is an
// error, unless --some says that there are more kernels than these. Exit status: 0, 1 with findings, 2 for bad input.
#include <bpf/libbpf.h>

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "kernel.h"
#include "match.h"
#include "object.h"
#include "reach.h"
#include "source.h"

namespace btfcheck {

namespace {

// A relocation with all that does not depend on the kernel.
struct Need {
  uint32_t insn;
  Wanted wanted;
  Line line;
  std::pair<uint32_t, uint32_t> around;  // lines of the C function
  bool right_somewhere = false, exists_somewhere = false;
  std::string last_problem;
};

class Findings {
 public:
  // `kernel` is empty for what is wrong on all of them.
  void add(const Line &line, const std::string &text, const std::string &kernel) {
    auto &kernels = found_[{line.file, line.number, text}];
    if (!kernel.empty() && (kernels.empty() || kernels.back() != kernel)) kernels.push_back(kernel);
  }

  [[nodiscard]] bool empty() const { return found_.empty(); }

  void print() const {
    for (const auto &[place, kernels] : found_) {
      const auto &[file, line, text] = place;
      std::string where;
      for (const std::string &kernel : kernels) where += " " + kernel;
      if (!where.empty()) where = (kernels.size() > 1 ? "kernels" : "kernel") + where + ": ";
      printf("%s:%u: %s%s\n", file.c_str(), line, where.c_str(), text.c_str());
    }
  }

 private:
  std::map<std::tuple<std::string, uint32_t, std::string>, std::vector<std::string>> found_;
};

// What a program is attached to, from the name of its section. Other kinds name nothing that BTF knows for certain.
struct Hook {
  enum { kOther, kTracepoint, kFunction } kind = kOther;
  std::string target;
};

Hook hook_of(const std::string &section) {
  static const std::map<std::string_view, Hook> kinds = {
      {"tp_btf", {Hook::kTracepoint}},
      {"raw_tp", {Hook::kTracepoint}},
      {"raw_tp.w", {Hook::kTracepoint}},
      {"raw_tracepoint", {Hook::kTracepoint}},
      {"raw_tracepoint.w", {Hook::kTracepoint}},
      {"fentry", {Hook::kFunction}},
      {"fentry.s", {Hook::kFunction}},
      {"fexit", {Hook::kFunction}},
      {"fexit.s", {Hook::kFunction}},
      {"fmod_ret", {Hook::kFunction}},
      {"fmod_ret.s", {Hook::kFunction}},
  };
  const size_t slash = section.find('/');
  if (slash == std::string::npos) return {};  // user space names the target
  const auto found = kinds.find(std::string_view(section).substr(0, slash));
  if (found == kinds.end()) return {};
  return {found->second.kind, section.substr(slash + 1)};
}

bool has_hook(const Kernel &kernel, const Hook &hook) {
  if (hook.kind == Hook::kTracepoint) return kernel.has_tracepoint(hook.target);
  return hook.kind == Hook::kOther || kernel.has_function(hook.target);
}

// One object against all kernels.
class Check {
 public:
  Check(const Object &object, const std::vector<Kernel> &kernels, Source &source, Findings &findings)
      : object_(object), kernels_(kernels), source_(source), findings_(findings) {
    for (const Section &section : object.sections) needs_.push_back(needs_of(section));
  }

  void run(bool all_kernels) {
    for (const Kernel &kernel : kernels_) run_on(kernel);
    if (!all_kernels) return;
    check_guards();
    check_hooks();
  }

 private:
  using Reached = std::vector<std::vector<bool>>;  // by section and instruction

  std::vector<Need> needs_of(const Section &section) {
    std::vector<Need> result;
    std::set<std::tuple<uint32_t, uint32_t, std::string>> sized;  // by function, type and access
    const auto key = [&](const Relocation &one) {
      const auto after = section.functions.upper_bound(one.insn);
      return std::tuple(after == section.functions.begin() ? 0 : std::prev(after)->first, one.type, one.access);
    };
    for (const Relocation &one : section.relocations) {
      const bool size = one.kind == BPF_CORE_FIELD_BYTE_SIZE || one.kind == BPF_CORE_FIELD_LSHIFT_U64;
      if (size) sized.insert(key(one));
    }
    for (const Relocation &one : section.relocations) {
      Need need = {.insn = one.insn, .wanted = wanted(object_, one)};
      need.wanted.any_size = sized.count(key(one)) > 0;
      need.line = source_.line_of(section, one.insn, need.wanted.word());
      need.around = source_.function_around(need.line);
      result.push_back(std::move(need));
    }
    return result;
  }

  // Programs whose hook the kernel lacks are not loaded, and with them the functions that only they call.
  Reached reach(const Kernel &kernel, const std::vector<Answers> &answers) const {
    Reached result;
    std::vector<Function> todo;
    for (const Section &section : object_.sections) {
      result.emplace_back(section.insns.size());
      if (section.name == ".text" || !has_hook(kernel, hook_of(section.name))) continue;
      for (const auto &[first, function] : section.functions) todo.push_back(function);
    }
    std::set<Function> seen(todo.begin(), todo.end());
    while (!todo.empty()) {
      const Function function = todo.back();
      todo.pop_back();
      const Section &section = object_.sections[function.section];
      const std::vector<bool> here = reached(section, function, answers[function.section]);
      for (uint32_t i = 0; i < function.count; ++i) {
        if (here[i]) result[function.section][function.first + i] = true;
        const auto call = section.calls.find(function.first + i);
        if (call == section.calls.end() || !(here[i] || call->second.global)) continue;
        if (seen.insert(call->second).second) todo.push_back(call->second);
      }
    }
    return result;
  }

  void run_on(const Kernel &kernel) {
    std::vector<std::vector<Answer>> told(needs_.size());
    std::vector<Answers> values(needs_.size());
    for (size_t i = 0; i < needs_.size(); ++i) {
      for (Need &need : needs_[i]) {
        told[i].push_back(answer(need.wanted, kernel));
        values[i][need.insn] = told[i].back().value;
        if (is_guard(need.wanted.kind)) mark_guard(need, told[i].back());
      }
    }
    const Reached way = reach(kernel, values);
    for (size_t i = 0; i < needs_.size(); ++i) {
      for (size_t j = 0; j < needs_[i].size(); ++j) {
        const Need &need = needs_[i][j];
        const std::string &problem = told[i][j].problem;
        if (!way[i][need.insn] || is_guard(need.wanted.kind) || problem.empty()) continue;
        findings_.add(need.line, problem, kernel.name());
      }
    }
    check_branches(kernel, told, way);
  }

  static void mark_guard(Need &need, const Answer &told) {
    need.right_somewhere |= told.exists && told.problem.empty();
    need.exists_somewhere |= told.exists;
    if (told.exists || need.last_problem.empty()) need.last_problem = told.problem;
  }

  // A C function that asks for a struct's field under several names, and reads none of them.
  struct Branches {
    std::set<std::string> names;
    Line line;  // of the last question
    bool asked = false, has = false;
  };

  void check_branches(const Kernel &kernel, const std::vector<std::vector<Answer>> &told, const Reached &way) {
    std::map<std::tuple<std::string, uint32_t, std::string>, Branches> all;
    for (size_t i = 0; i < needs_.size(); ++i) {
      for (size_t j = 0; j < needs_[i].size(); ++j) {
        const Need &need = needs_[i][j];
        const bool guard = need.wanted.kind == BPF_CORE_FIELD_EXISTS;
        if (need.around.first == 0 || asks(need.wanted.kind) != Asks::kField) continue;
        Branches &here = all[{need.line.file, need.around.first, need.wanted.what()}];
        if (guard) here.names.insert(need.wanted.path());
        if (guard && here.line.number <= need.line.number) here.line = need.line;
        if (!way[i][need.insn]) continue;
        here.asked |= guard;
        here.has |= !guard || told[i][j].exists;
      }
    }
    for (const auto &[place, here] : all) {
      if (here.names.size() < 2 || !here.asked || here.has) continue;
      std::string names;
      for (const std::string &name : here.names) names += (names.empty() ? "" : ", ") + name;
      findings_.add(here.line, "no branch is for this kernel: " + std::get<2>(place) + " has none of " + names,
                    kernel.name());
    }
  }

  void check_guards() {
    for (const auto &section : needs_) {
      for (const Need &need : section) {
        if (!is_guard(need.wanted.kind) || need.right_somewhere) continue;
        const std::string path = need.wanted.path();
        const bool enumerator = asks(need.wanted.kind) == Asks::kEnumerator;
        const std::string what = enumerator     ? "enumerator " + path + " of " + need.wanted.what()
                                 : path.empty() ? need.wanted.what()
                                                : need.wanted.what() + "." + path;
        const std::string as = need.exists_somewhere ? " as it is declared here: " + need.last_problem : "";
        findings_.add(need.line, "no kernel has " + what + as, "");
      }
    }
  }

  void check_hooks() {
    for (const Section &section : object_.sections) {
      const Hook hook = hook_of(section.name);
      bool found = false;
      for (const Kernel &kernel : kernels_) found |= has_hook(kernel, hook);
      for (const auto &[first, function] : section.functions) {
        const char *kind = hook.kind == Hook::kTracepoint ? "tracepoint " : "function ";
        if (!found)
          findings_.add(source_.line_of(section, first, hook.target),
                        std::string("no kernel has the ") + kind + hook.target, "");
      }
    }
  }

  const Object &object_;
  const std::vector<Kernel> &kernels_;
  Source &source_;
  Findings &findings_;
  std::vector<std::vector<Need>> needs_;  // by section
};

int run(const std::vector<std::string> &arguments) {
  bool all_kernels = true;
  std::vector<Object> objects;
  std::vector<Kernel> kernels;
  for (const std::string &argument : arguments) {
    const size_t equal = argument.find('=');
    if (argument == "--some")
      all_kernels = false;
    else if (equal != std::string::npos)
      kernels.emplace_back(argument.substr(0, equal), argument.substr(equal + 1));
    else
      objects.push_back(read_object(argument));
  }
  if (objects.empty() || kernels.empty())
    throw strata::Error("usage: btf-check [--some] OBJECT... KERNEL=FILE...", strata::kUsageStatus);
  Source source;
  Findings findings;
  size_t relocations = 0;
  for (const Object &object : objects) {
    Check(object, kernels, source, findings).run(all_kernels);
    for (const Section &section : object.sections) relocations += section.relocations.size();
  }
  findings.print();
  if (!findings.empty()) return 1;
  printf("%zu relocations, kernels", relocations);
  for (const Kernel &kernel : kernels) printf(" %s", kernel.name().c_str());
  printf("\n");
  return 0;
}

}  // namespace

}  // namespace btfcheck

int main(int count, char **arguments) {
  libbpf_set_print(nullptr);
  try {
    return btfcheck::run({arguments + 1, arguments + count});
  } catch (const strata::Error &error) {
    fprintf(stderr, "btf-check: %s\n", error.what());
    return error.exit_status();
  }
}
