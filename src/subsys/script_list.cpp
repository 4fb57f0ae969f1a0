// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_list.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/format.h"
#include "base/pattern.h"
#include "base/text.h"
#include "bpf/probe_name.h"
#include "btf/kernel_types.h"
#include "cli/values.h"
#include "expr/parser.h"
#include "expr/types.h"
#include "kern/tracefs.h"
#include "run/session.h"
#include "subsys/kernel_definitions.h"
#include "subsys/script.h"
#include "subsys/script_bpf.h"
#include "subsys/script_programs.h"
#include "subsys/script_types.h"
#include "subsys/user_functions.h"
#include "sym/elf.h"
#include "sym/mapped.h"
#include "sym/usdt.h"

namespace strata {
namespace {

// Of the names that bpf/sample_event knows those that bpftrace lists.
constexpr const char *kSoftware[] = {
    "alignment-faults", "cpu",    "cpu-clock",    "cpu-migrations", "cs",          "context-switches",
    "emulation-faults", "faults", "major-faults", "minor-faults",   "page-faults", "task-clock"};
constexpr const char *kHardware[] = {"branch-instructions",
                                     "branch-misses",
                                     "branches",
                                     "bus-cycles",
                                     "cache-misses",
                                     "cache-references",
                                     "cpu-cycles",
                                     "cycles",
                                     "instructions",
                                     "ref-cycles",
                                     "stalled-cycles-backend",
                                     "stalled-cycles-frontend"};

struct Wanted {
  std::string kind, rest;  // patterns; an empty kind: the whole line is matched
};

Wanted wanted_by(const std::string &pattern) {
  const size_t colon = pattern.find(':');
  if (colon == std::string::npos) return {.kind = "", .rest = pattern.empty() ? "*" : pattern};
  const std::string_view kind = expr::probe_kind(pattern.substr(0, colon));
  return {.kind = kind.empty() ? pattern.substr(0, colon) : std::string(kind), .rest = pattern.substr(colon + 1)};
}

bool is_wanted(const Wanted &wanted, const std::string &kind, const std::string &rest) {
  if (wanted.kind.empty()) return pattern_matches("*" + wanted.rest + "*", kind + ":" + rest);
  return pattern_matches(wanted.kind, kind) && (is_called(rest, wanted.rest) || wanted.rest + ":" == rest);
}

// Of the kinds of functions those that a list of all has: the others are at the same ones.
bool is_entry(std::string_view kind) { return kind == "fentry" || kind == "kprobe"; }

std::string title_of(const UsdtProbe &probe) { return probe.provider + ":" + probe.name; }

std::string place_of(const UsdtProbe &probe) {
  std::string text = formatted("    at {:#x}", probe.address);
  if (probe.semaphore != 0) text += ", counted by a semaphore";
  return text + (probe.arguments.empty() ? "" : ": " + printable(probe.arguments)) + "\n";
}

// "struct Foo* foo": without the blank before what is behind the name of a type.
std::string as_bpftrace(std::string declared) {
  if (const size_t star = declared.find(" *"); star != std::string::npos) declared.erase(star, 1);
  return declared;
}

// Each name once, with its places below it.
std::string text_of(const std::string &path, std::vector<UsdtProbe> probes, bool arguments) {
  std::ranges::stable_sort(probes, {}, title_of);
  std::string text, last;
  for (const UsdtProbe &probe : probes) {
    const std::string title = title_of(probe);
    if (title != last) text += printable("usdt:" + path + ":" + title) + "\n";
    last = title;
    if (arguments) text += place_of(probe);
  }
  return text;
}

class List {
 public:
  List(const Session &session, const std::string &pattern, bool arguments)
      : session_(session), wanted_(wanted_by(pattern)), arguments_(arguments), types_(kernel_expr_types()) {
    // Of a process, in all of its files.
    if (session.values().given("pid") && (wanted_.rest == "*" || wanted_.kind.empty())) wanted_.rest = "*:*";
    if (session.values().given("pid") && wanted_.kind.empty()) wanted_.kind = "u*";
  }

  std::string text() {
    for (const char *kind : {"fentry", "fexit", "kprobe", "kretprobe"})
      if (may_be(kind) && (!wanted_.kind.empty() || is_entry(kind))) add_functions(kind);
    for (const std::string_view signal : kOwnSignals)
      if (may_be("self")) add("self", "signal:" + std::string(signal), [] { return std::vector<expr::Field>(); });
    add_timed();
    if (may_be("rawtracepoint")) add_raw_tracepoints();
    if (may_be("tracepoint")) add_tracepoints();
    if (may_be("iter")) add_iterators();
    const bool of_file = wanted_.rest.find(':') != std::string::npos;
    for (const char *kind : {"uprobe", "uretprobe"})
      if (wanted_.kind == kind || (is_pattern(wanted_.kind) && of_file && may_be(kind))) add_user_functions(kind);
    if (wanted_.kind == "usdt")
      add_static_probes(find_usdt_probes);
    else if (is_pattern(wanted_.kind) && of_file && may_be("usdt"))
      add_static_probes(usdt_probes_in);  // where there may be none
    return text_;
  }

 private:
  [[nodiscard]] bool may_be(const std::string &kind) const {
    return wanted_.kind.empty() || pattern_matches(wanted_.kind, kind);
  }

  void add(const std::string &kind, const std::string &rest,
           const std::function<std::vector<expr::Field>()> &arguments) {
    if (!is_wanted(wanted_, kind, rest)) return;
    text_ += kind + ":" + printable(rest) + "\n";
    if (!arguments_) return;
    for (const expr::Field &one : arguments()) text_ += "    " + expr::name_of(one.type) + " " + one.name + "\n";
  }

  // Of a module or of BPF programs, where those are asked for.
  void add_functions_within(const std::string &kind, const std::string &where, const std::string &name) {
    if (where == "bpf" || where.starts_with("bpf:")) {
      for (const BpfFunction &one : bpf_functions(where == "bpf" ? "*" : where.substr(4), name))
        text_ += kind + ":bpf:" + std::to_string(one.id) + ":" + printable(one.name) + "\n";
      return;
    }
    for (const std::string &one : where == "vmlinux" ? functions_like(name) : functions_of_module(where, name))
      if (!kind.starts_with('f') || types_.function(one)) add_function(kind, where + ":" + one, one);
  }

  void add_function(const std::string &kind, const std::string &rest, const std::string &name) {
    add(kind, rest, [&]() -> std::vector<expr::Field> {
      const auto function = types_.function(name);
      return function ? function->parameters : std::vector<expr::Field>();
    });
  }

  void add_functions(const std::string &kind) {
    const size_t colon = wanted_.rest.rfind(':');
    if (colon != std::string::npos && !wanted_.kind.empty())
      return add_functions_within(kind, wanted_.rest.substr(0, colon), wanted_.rest.substr(colon + 1));
    for (const std::string &name : functions_like(wanted_.kind.empty() ? "*" : wanted_.rest))
      add_function(kind, name, name);
  }

  // What has a rate or a period behind it, which is the user's to say.
  void add_timed() {
    const auto no_arguments = [] { return std::vector<expr::Field>(); };
    for (const char *event : kSoftware) add("software", std::string(event) + ":", no_arguments);
    for (const char *event : kHardware) add("hardware", std::string(event) + ":", no_arguments);
    for (const char *kind : {"profile", "interval"})
      for (const char *unit : {"hz:", "us:", "ms:", "s:"}) add(kind, unit, no_arguments);
  }

  void add_raw_tracepoints() {
    for (const std::string &name : tracepoints_like("*"))
      add("rawtracepoint", name, [&]() -> std::vector<expr::Field> {
        const auto function = types_.tracepoint(name);
        return function ? function->parameters : std::vector<expr::Field>();
      });
  }

  void add_tracepoints() {
    const Tracefs tracefs;
    std::vector<std::string> categories = tracefs.categories();
    std::ranges::sort(categories);
    for (const std::string &category : categories) {
      std::vector<std::string> events = tracefs.events(category);
      std::ranges::sort(events);
      for (const std::string &event : events)
        add("tracepoint", category + ":" + event,
            [&] { return tracepoint_fields(tracefs.format(category, event), types_); });
    }
  }

  void add_iterators() {
    for (const std::string &name : iterator_names(types_))
      add("iter", name, [&] { return iterator_fields(name, types_); });
  }

  void add_user_functions(const std::string &kind) {
    const size_t colon = wanted_.rest.rfind(':');
    if (colon == std::string::npos) throw usage_error("which functions of which file? uprobe:/bin/sh:*");
    const std::vector<UserFunctions> files =
        find_user_functions(session_, wanted_.rest.substr(0, colon), wanted_.rest.substr(colon + 1));
    ScriptPrograms programs;
    const bool arguments = arguments_ && kind == "uprobe";
    for (const UserFunctions &file : files)
      for (const auto &function : file.functions)
        if (arguments) programs.want_function(file.path, file.path, function.offset);
    programs.read();
    for (const UserFunctions &file : files)
      for (const auto &function : file.functions) {
        text_ += printable(kind + ":" + file.path + ":" + function.name) + "\n";
        const auto known = programs.arguments(file.path, function.offset, types_);
        for (const expr::ProgramArgument &one : known.value_or(std::vector<expr::ProgramArgument>()))
          text_ += "    " + as_bpftrace(one.declared) + " " + one.name + "\n";
      }
  }

  void add_static_probes(decltype(find_usdt_probes) *find) {
    const std::vector<std::string_view> words = split(wanted_.rest, ':');
    const std::string provider(words.size() > 2 ? words[1] : ""), name(words.size() > 1 ? words.back() : "*");
    for (UsdtProbes &file : find(session_, std::string(words.front()), provider, name))
      text_ += text_of(file.path, std::move(file.probes), arguments_);
  }

  const Session &session_;
  Wanted wanted_;
  const bool arguments_;
  expr::Types types_;
  std::string text_;
};

// Without the rate or the period of what has one.
std::string pattern_of(const expr::AttachPoint &place) {
  constexpr std::string_view kTimed[] = {"interval", "profile", "software", "hardware"};
  const bool timed = std::ranges::find(kTimed, place.kind) != std::end(kTimed);
  if (place.words.empty()) return place.kind;
  return place.kind + ":" + (timed ? place.words.front() + ":" : join(place.words, ":"));
}

// What -l knows, which has no place within functions, and none by an address.
bool is_listed(const expr::AttachPoint &place) {
  if (place.words.empty() || place.kind == "watchpoint" || place.kind == "self") return false;
  const std::string &last = place.words.back();
  return last.find('+') == std::string::npos && (last.empty() || last[0] < '0' || last[0] > '9');
}

bool names_type(const std::string &pattern) {
  return pattern.starts_with("struct ") || pattern.starts_with("union ") || pattern.starts_with("enum ");
}

std::vector<UserFile> files_of_process(uint32_t tgid) {
  std::vector<UserFile> files;
  for (const MappedFile &mapped : executable_mappings(tgid))
    files.push_back({.file = open_mapped(tgid, mapped), .path = mapped.path});
  std::erase_if(files, [](const UserFile &one) { return !one.file; });
  if (files.empty()) throw Error("process " + std::to_string(tgid) + " has no programs or libraries, or is gone");
  return files;
}

}  // namespace

std::string list_of_probes(const Session &session, const std::string &pattern, bool arguments) {
  const bool type = names_type(pattern);
  std::string text = type ? kernel_definitions(pattern, arguments) : List(session, pattern, arguments).text();
  if (text.empty()) throw Error((type ? "this kernel has no " : "this host has no probe ") + printable(pattern));
  return text;
}

std::string list_of_places(const Session &session, const expr::Program &program, bool arguments) {
  std::string text;
  std::set<std::string> seen;
  for (const expr::Probe &probe : program.probes)
    for (const expr::AttachPoint &place : probe.places) {
      const std::string pattern = pattern_of(place);
      if (!seen.insert(pattern).second) continue;
      text += is_listed(place) ? list_of_probes(session, pattern, arguments) : printable(pattern) + "\n";
    }
  return text;
}

std::string list_of_static_probes(const Session &session, const std::string &pattern, bool arguments) {
  const Values &values = session.values();
  const std::vector<UserFile> files = values.given("pid")
                                          ? files_of_process(static_cast<uint32_t>(values.number("pid")))
                                          : find_user_files(session, values.text("lib"));
  std::string text;
  for (const UserFile &one : files) {
    const ElfFile elf(one.file.get());
    if (!elf.valid()) continue;
    std::vector<UsdtProbe> probes = usdt_probes(elf);
    std::erase_if(probes, [&](const UsdtProbe &probe) { return !pattern_matches(pattern, title_of(probe)); });
    text += text_of(one.path, std::move(probes), arguments);
  }
  if (text.empty())
    throw Error("no static probe (USDT) " + (pattern == "*" ? "" : printable(pattern) + " ") + "is in " +
                (values.given("pid") ? "the files of this process" : printable(values.text("lib"))));
  return text;
}

std::string first_probes(const Session &session, const std::string &list) {
  uint64_t left = session.limit();
  if (left == 0) return list;
  size_t end = 0;
  while (end < list.size() && (list[end] == ' ' || left-- > 0)) end = list.find('\n', end) + 1;
  return list.substr(0, end);
}

}  // namespace strata
