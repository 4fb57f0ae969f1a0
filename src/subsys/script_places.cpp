// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where the probes of a program are on this host, and what each knows of its arguments.
#include <linux/hw_breakpoint.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/nearest.h"
#include "base/outlet.h"
#include "base/pattern.h"
#include "base/text.h"
#include "bpf/named_places.h"
#include "bpf/probe_name.h"
#include "bpf/sample_event.h"
#include "btf/kernel_types.h"
#include "cli/values.h"
#include "kern/signal.h"
#include "kern/tracefs.h"
#include "run/session.h"
#include "subsys/kernel_functions.h"
#include "subsys/script.h"
#include "subsys/script_run.h"
#include "subsys/script_types.h"
#include "sym/mapped.h"

namespace strata {
namespace {

// What is found by its name; else why not, where the program names it.
template <typename Find>
auto placed(const expr::Source &source, const expr::AttachPoint &place, const Find &find) {
  try {
    return find();
  } catch (const Error &error) {
    throw source.error(place.at, error.what());
  }
}

// "0x401d90" or "4096".
std::optional<uint64_t> address_in(std::string_view text) {
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  const bool whole = fault == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

// How many events are between two samples where the program does not say it, as bpftrace has it: of rare ones each.
uint64_t usual_count(std::string_view event) {
  constexpr std::pair<std::string_view, uint64_t> kUsual[] = {{"page-faults", 100},
                                                              {"faults", 100},
                                                              {"minor-faults", 100},
                                                              {"context-switches", 1000},
                                                              {"cs", 1000},
                                                              {"major-faults", 1},
                                                              {"alignment-faults", 1},
                                                              {"emulation-faults", 1},
                                                              {"cpu-migrations", 1},
                                                              {"migrations", 1},
                                                              {"branches", 100'000},
                                                              {"bus-cycles", 100'000},
                                                              {"branch-misses", 100'000},
                                                              {"branch-instructions", 100'000}};
  const auto *at = std::ranges::find(kUsual, event, &std::pair<std::string_view, uint64_t>::first);
  return at == std::end(kUsual) ? 1'000'000 : at->second;
}

// 100000, or 1e5.
bool parse_count(std::string_view text, uint64_t &count) {
  const size_t e = text.find('e');
  uint64_t zeros = 0;
  if (e != std::string_view::npos && (!parse_number(text.substr(e + 1), zeros) || zeros > 18)) return false;
  if (!parse_number(text.substr(0, e), count) || count == 0) return false;
  for (; zeros > 0; zeros--)
    if (__builtin_mul_overflow(count, 10, &count)) return false;
  return true;
}

}  // namespace

// Of several places that a probe has, those count that there are, unless the program says otherwise: names change from
// kernel to kernel.
std::vector<expr::Target> Script::find_targets(const expr::Probe &probe) {
  std::vector<expr::Target> all;
  std::optional<Error> missing;
  const size_t before = places_.size();
  uses_ = expr::uses_of(probe);
  std::erase_if(uses_.types, [&](const std::string &name) { return types_.is_known(name); });
  for (const expr::AttachPoint &place : probe.places) {
    try {
      for (expr::Target &one : find_targets(place)) all.push_back(std::move(one));
    } catch (const Error &error) {
      missing = error;
      places_.resize(before + all.size());
    }
  }
  using enum expr::Settings::Missing;
  const bool some = settings_.missing == kOfSeveral && !all.empty();
  if (missing) leave_out(*missing, some || settings_.missing == kWarn || settings_.missing == kIgnore);
  return all;
}

void Script::leave_out(const Error &missing, bool permitted) const {
  if (!permitted) throw Error(missing);
  if (!run_.quiet && settings_.missing != expr::Settings::Missing::kIgnore)
    say("strata run: left out: %s\n", missing.what());
}

std::vector<expr::Target> Script::find_targets(const expr::AttachPoint &place) {
  std::vector<expr::Target> found;
  const std::string &kind = place.kind;
  const bool typed = kind == "fentry" || kind == "fexit";
  if (typed && place.words.size() > 1 && place.words[0] == "bpf")
    add_bpf_programs(place, found);
  else if (kind == "kprobe" || kind == "kretprobe" || typed)
    add_kernel_functions(place, found);
  else if (kind == "tracepoint")
    add_tracepoints(place, found);
  else if (kind == "rawtracepoint")
    add_raw_tracepoints(place, found);
  else if (kind == "uprobe" || kind == "uretprobe")
    add_user_functions(place, found);
  else if (kind == "usdt")
    add_static_probes(place, found);
  else if (kind == "begin" || kind == "end" || kind == "interval" || kind == "profile" || kind == "software" ||
           kind == "hardware")
    add_timed(place, found);
  else if (kind == "watchpoint")
    add_watchpoint(place, found);
  else if (kind == "iter")
    add_iterator(place, found);
  else if (kind == "self")
    add_signal(place, found);
  else if (kind != "test" && kind != "bench")  // those run by themselves alone, with options that this is not given
    throw source_.error(place.at, kind + " probes are not known to strata run yet");
  return found;
}

void Script::add_kernel_functions(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  if (place.words.empty() || place.words.back().empty())
    throw source_.error(place.at, "which function? kprobe:vfs_read");
  std::string function_name = place.words.back();
  const uint64_t behind = cut_offset(place, function_name);
  const std::string suffix = behind == 0 ? "" : "+" + std::to_string(behind);
  const std::string module = place.words.size() > 1 ? place.words.front() : "";
  const std::string where = module.empty() || module == "*" ? "" : module + ":";
  const std::vector<std::string> names =
      placed(source_, place, [&] { return find_kernel_functions(function_name, module); });
  for (const std::string &one : names) {
    expr::Target target = {.kind = place.kind, .title = place.kind + ":" + where + one + suffix, .name = one};
    const std::optional<expr::Function> function = types_.function(one);
    if (target.is_typed() && !function) {
      if (names.size() > 1) continue;
      throw source_.error(place.at, "the types of the kernel and its modules do not have the function " +
                                        printable(one) + ", as " + place.kind +
                                        " wants it (try: kprobe:" + printable(one) + ")");
    }
    if (function) {
      target.arguments = function->parameters;
      target.result = function->result;
      if (!target.is_typed())
        std::erase_if(target.arguments, [](const expr::Field &field) { return field.offset > 5; });
    }
    places_.push_back({.number = function ? function->at.id : 0,
                       .module = target.is_typed() ? typed_function(one).module : "",
                       .offset = behind});
    found.push_back(std::move(target));
  }
}

void Script::add_tracepoints(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  if (place.words.size() != 2)
    throw source_.error(place.at, "a tracepoint has a category and a name: tracepoint:sched:sched_switch");
  const Tracefs tracefs;
  if (!tracefs) throw system_error("cannot find tracepoints: no tracefs", tracefs.error());
  const std::string &category = place.words[0], &name = place.words[1];
  const size_t before = found.size();
  std::vector<std::string> categories =
      is_pattern(category) ? tracefs.categories() : std::vector<std::string>{category};
  std::ranges::sort(categories);
  for (const std::string &one : categories) {
    if (is_pattern(category) && !pattern_matches(category, one)) continue;
    std::vector<std::string> events = is_pattern(name) ? tracefs.events(one) : std::vector<std::string>{name};
    std::ranges::sort(events);
    for (const std::string &event : events) {
      if (is_pattern(name) && !pattern_matches(name, event)) continue;
      const std::optional<uint64_t> id = tracefs.id(one, event);
      if (!id) continue;
      expr::Target target = {.kind = "tracepoint", .title = "tracepoint:" + one + ":" + event, .name = event};
      target.arguments = tracepoint_fields(tracefs.format(one, event), types_);
      found.push_back(std::move(target));
      places_.push_back({.number = *id});
    }
  }
  if (found.size() > before) return;
  throw source_.error(place.at, "this kernel has no tracepoint " + printable(category + ":" + name) +
                                    meant(name, tracefs.events(category)));
}

void Script::add_raw_tracepoints(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  if (place.words.empty()) throw source_.error(place.at, "which tracepoint? rawtracepoint:sched_switch");
  const std::string &name = place.words.back();
  std::vector<std::string> names;
  if (is_pattern(name))
    names = tracepoints_like(name);
  else if (has_tracepoint(name))
    names = {name};
  if (names.empty())
    throw source_.error(place.at,
                        "this kernel has no tracepoint " + printable(name) + meant(name, tracepoints_like("*")));
  for (const std::string &one : names) {
    expr::Target target = {.kind = place.kind, .title = place.kind + ":" + one, .name = one};
    if (const std::optional<expr::Function> function = types_.tracepoint(one)) target.arguments = function->parameters;
    found.push_back(std::move(target));
    places_.push_back({});
  }
}

// uprobe:FILE:FUNCTION, FUNCTION+OFFSET, or an address of the file's code.
void Script::add_user_functions(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  if (place.words.size() < 2)
    throw source_.error(place.at, "a function of a program has two parts: uprobe:/bin/bash:readline");
  std::string name = place.words.back();
  std::erase(name, '"');
  const uint64_t behind = cut_offset(place, name);
  const std::string suffix = behind == 0 ? "" : "+" + std::to_string(behind);
  const auto add = [&](const std::string &path, const std::string &file, const std::string &function, uint64_t offset) {
    found.push_back({.kind = place.kind, .title = place.kind + ":" + path + ":" + function + suffix, .name = function});
    check_instruction(place, file, offset, behind, 0);
    add_place_in_program({.number = offset + behind, .offset = behind, .file = file}, found.back());
    if (uses_.arguments && behind == 0) probed_.want_function(file, path, offset);
    if (uses_.arguments || !uses_.types.empty()) probed_.want_types(file, path, uses_.types);
  };
  if (const std::optional<uint64_t> address = address_in(name)) {
    for (UserFile &one : placed(source_, place, [&] { return find_user_files(session_, place.words.front()); }))
      if (const std::optional<uint64_t> offset = ElfFile(one.file.get()).offset_of(*address)) {
        const std::string file = keep_open(std::move(one.file));
        check_address(place, file, *address, *offset);
        add(one.path, file, name, *offset);
      }
    if (found.empty()) throw source_.error(place.at, "this file has no code at the address " + printable(name));
    return;
  }
  auto files = placed(source_, place, [&] { return find_user_functions(session_, place.words.front(), name); });
  for (UserFunctions &one : files) {
    const std::string file = keep_open(std::move(one.file));
    if (behind != 0) check_end(place, file, name, behind);
    leave_parts(place, file, is_pattern(name), one.functions);
    for (const auto &function : one.functions) add(one.path, file, function.name, function.offset);
  }
}

// The path by which the kernel finds it here, also if it is a container's, or was deleted.
std::string Script::keep_open(Fd file) {
  files_.push_back(std::move(file));
  return "/proc/self/fd/" + std::to_string(files_.back().get());
}

void Script::add_place_in_program(ScriptPlace place, expr::Target &target) {
  target.find_symbol = [this, place](const std::string &name) { return user_symbol(place, name); };
  places_.push_back(std::move(place));
}

std::optional<expr::UserSymbol> Script::user_symbol(const ScriptPlace &place, const std::string &name) {
  const Fd fd = open_regular(place.file);
  const ElfFile file(fd.get());
  const auto [at, is_new] = symbols_.try_emplace({place.file, name});
  if (is_new) at->second = file.symbol(name);
  if (!at->second) return std::nullopt;
  expr::UserSymbol found = {.address = at->second->address,
                            .bytes = static_cast<uint32_t>(std::min<uint64_t>(at->second->bytes, UINT32_MAX)),
                            .moves = file.moves()};
  if (found.moves) found.address -= file.address_of(place.number).value_or(0);
  return found;
}

// Of FUNCTION+OFFSET the offset, which is cut off.
uint64_t Script::cut_offset(const expr::AttachPoint &place, std::string &name) const {
  const size_t plus = name.rfind('+');
  const std::optional<uint64_t> offset =
      plus == std::string::npos ? std::nullopt : address_in(std::string_view(name).substr(plus + 1));
  if (!offset) return 0;
  name.resize(plus);
  if (!place.kind.ends_with("uprobe") && place.kind != "kprobe")
    throw source_.error(place.at, place.kind + " is of functions as a whole, without an offset");
  if (is_pattern(name)) throw source_.error(place.at, "an offset is behind the name of one function");
  return *offset;
}

// watchpoint:0xADDRESS:BYTES:MODE, which the processor watches over: of the processes that are looked at, or of the
// kernel.
void Script::add_watchpoint(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  const auto wrong = [&](const std::string &what) { return source_.error(place.at, what); };
  if (place.words.size() != 3) throw wrong("a watchpoint is watchpoint:0xADDRESS:BYTES:MODE");
  const std::optional<uint64_t> address = address_in(place.words[0]), bytes = address_in(place.words[1]);
  if (!address)
    throw wrong(
        "a watchpoint wants an address, such as 0x10000000; those of arguments are not known to strata run yet");
  if (!bytes || (*bytes != 1 && *bytes != 2 && *bytes != 4 && *bytes != 8))
    throw wrong("a watchpoint has 1, 2, 4 or 8 bytes");
  constexpr std::pair<std::string_view, uint32_t> kModes[] = {
      {"r", HW_BREAKPOINT_R}, {"w", HW_BREAKPOINT_W}, {"rw", HW_BREAKPOINT_RW}, {"x", HW_BREAKPOINT_X}};
  const auto *mode = std::ranges::find(kModes, place.words[2], &std::pair<std::string_view, uint32_t>::first);
  if (mode == std::end(kModes)) throw wrong("the mode of a watchpoint is r, w, rw or x");
  ScriptPlace made = {.number = *address, .bytes = *bytes, .access = mode->second};
  found.push_back({.kind = place.kind, .title = place.text, .name = place.kind});
  places_.push_back(std::move(made));
}

// usdt:FILE:NAME or usdt:FILE:PROVIDER:NAME, each a pattern as it may be. A name may be in several places, with
// arguments that lie elsewhere in each.
void Script::add_static_probes(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  if (place.words.size() < 2 || place.words.size() > 3)
    throw source_.error(place.at, "a static probe has a file and a name: usdt:/usr/sbin/mysqld:query__start");
  const std::string provider = place.words.size() == 3 ? place.words[1] : "";
  const bool of_process = place.words.front().empty() && session_.values().given("pid");
  const std::string file = of_process ? "*" : place.words.front();
  auto files = placed(source_, place, [&] { return find_usdt_probes(session_, file, provider, place.words.back()); });
  for (UsdtProbes &one : files) {
    const std::string path = keep_open(std::move(one.file));
    for (const UsdtProbe &probe : one.probes) {
      const std::string title = "usdt:" + one.path + ":" + probe.provider + ":" + probe.name;
      const auto operands = expr::operands_of(probe.arguments);
      found.push_back({.kind = "usdt",
                       .title = title,
                       .name = probe.name,
                       .operands = operands.value_or(std::vector<expr::Operand>()),
                       .unread = operands ? "" : probe.arguments});
      add_place_in_program({.number = probe.offset, .semaphore = probe.semaphore_offset, .file = path}, found.back());
    }
  }
}

void Script::add_timed(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  ScriptPlace made;
  const bool periodic = place.kind == "interval" || place.kind == "profile";
  if (periodic) {
    uint64_t number = 0;
    const bool two = place.words.size() == 2 && parse_number(place.words[1], number);
    const std::string unit = two ? place.words[0] : "";
    if (two && unit == "hz") made.rate = number;
    if (two && (unit == "s" || unit == "ms" || unit == "us"))
      made.period_ns = number * (unit == "s" ? 1'000'000'000 : unit == "ms" ? 1'000'000 : 1'000);
    if (place.words.size() == 1 && !parse_duration_ns(place.words[0], made.period_ns)) made.period_ns = 0;
    if (made.rate == 0 && made.period_ns == 0)
      throw source_.error(place.at,
                          "expected " + place.kind + ":hz:99, " + place.kind + ":s:1 or " + place.kind + ":ms:100");
    if (place.kind == "interval" && made.rate != 0) made.period_ns = 1'000'000'000 / made.rate;
  } else if (place.kind == "software" || place.kind == "hardware") {
    if (place.words.empty() || !sample_event(place.words[0]))
      throw source_.error(place.at, "expected an event, such as " + place.kind +
                                        (place.kind == "software" ? ":page-faults:100" : ":cycles:1000000"));
    const std::string count = place.words.size() > 1 ? place.words[1] : "";
    made.number = usual_count(place.words[0]);
    if (place.words.size() > 2 || (!count.empty() && !parse_count(count, made.number)))
      throw source_.error(place.at, "expected the number of events between two samples, such as " + place.kind + ":" +
                                        place.words[0] + ":" + std::to_string(usual_count(place.words[0])));
    made.file = place.words[0];
  }
  found.push_back({.kind = place.kind, .title = place.text, .name = place.kind});
  places_.push_back(made);
}

// Of strata itself.
void Script::add_signal(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  if (place.words.size() != 2 || place.words[0] != "signal")
    throw source_.error(place.at, "expected a signal that strata gets: self:signal:SIGUSR1");
  const std::string &name = place.words[1];
  uint32_t number = 0;
  if (!parse_signal(name, number) || std::ranges::find(kOwnSignals, signal_name(number)) == std::end(kOwnSignals))
    throw source_.error(place.at, "self:signal takes one of the signals " + comma_list(kOwnSignals) + ", not '" +
                                      printable(name) + "'" + meant(name, kOwnSignals));
  found.push_back({.kind = place.kind, .title = place.text, .name = place.kind});
  places_.push_back({.number = number});
}

}  // namespace strata
