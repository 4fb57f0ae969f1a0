#include "subsys/script.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>

#include "base/clock.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/nearest.h"
#include "base/outlet.h"
#include "base/pattern.h"
#include "base/text.h"
#include "bpf/filter.h"
#include "bpf/function_types.h"
#include "bpf/host.h"
#include "bpf/named_places.h"
#include "bpf/object.h"
#include "bpf/probe_name.h"
#include "bpf/ring.h"
#include "bpf/sample_event.h"
#include "bpf/uprobe.h"
#include "btf/kernel_types.h"
#include "cli/values.h"
#include "expr/listing.h"
#include "expr/parser.h"
#include "kern/cgroup.h"
#include "kern/signal.h"
#include "kern/tracefs.h"
#include "run/run.h"
#include "run/session.h"
#include "subsys/kernel_functions.h"
#include "subsys/script_run.h"
#include "subsys/script_types.h"
#include "sym/kallsyms.h"

namespace strata {
namespace {

bpf_prog_type type_of(const expr::Target &target) {
  if (target.has_registers()) return BPF_PROG_TYPE_KPROBE;
  if (target.is_typed() || target.is("iter")) return BPF_PROG_TYPE_TRACING;
  if (target.is("tracepoint")) return BPF_PROG_TYPE_TRACEPOINT;
  if (target.is("profile") || target.is("software") || target.is("hardware")) return BPF_PROG_TYPE_PERF_EVENT;
  return BPF_PROG_TYPE_RAW_TRACEPOINT;
}

// What is found by its name; else why not, where the program names it.
template <typename Find>
auto placed(const expr::Source &source, const expr::AttachPoint &place, const Find &find) {
  try {
    return find();
  } catch (const Error &error) {
    throw source.error(place.at, error.what());
  }
}

}  // namespace

Script::Script(Session &session, Object &object, const ScriptRun &run, uint64_t ring_bytes)
    : session_(session), object_(object), run_(run), source_(run.source), types_(kernel_expr_types()) {
  expr::Program program = expr::parse(source_, run.arguments);
  settings_ = expr::settings_of(source_, program);
  for (const expr::StructDefinition &one : program.structs) types_.define(one, source_);
  std::vector<std::vector<expr::Target>> targets;
  for (const expr::Probe &probe : program.probes) targets.push_back(find_targets(probe));
  if (places_.empty()) throw Error("this kernel has none of the program's probes");
  if (places_.size() > settings_.places && !session.values().given("force"))
    throw usage_error("these are " + std::to_string(places_.size()) + " places, which slow the host down; at most " +
                      std::to_string(settings_.places) +
                      " are attached to (config = { max_probes = N } says how many, --force all)");
  expr::Circumstances circumstances = {.start_ns = monotonic_ns(),
                                       .self = static_cast<uint32_t>(getpid()),
                                       .cpus = static_cast<uint32_t>(get_nprocs()),
                                       .child = static_cast<uint32_t>(session.command_pid())};
  circumstances.loss_ring = LOSS_RING_FULL;
  circumstances.loss_map = LOSS_RUN_MAP;
  circumstances.loss_stack = LOSS_STACK;
  circumstances.first_rest = ScriptStacks::kFirstRest;
  circumstances.loss_busy = LOSS_RUN_BUSY;
  circumstances.wake_shift = wake_shift(ring_bytes);
  circumstances.cookies = has_uprobe_cookies();
  circumstances.raw_cookies = has_tracepoint_cookies();
  circumstances.filters = session.filters_tasks();
  circumstances.unsafe = run.unsafe;
  circumstances.parameters = run.parameters;
  circumstances.tai_ns = clock_ns(CLOCK_TAI) - clock_ns(CLOCK_MONOTONIC);
  const PidNamespace own = own_pid_namespace();
  circumstances.pidns_dev = own.dev, circumstances.pidns_ino = own.ino;
  circumstances.cgroup_id = [](const std::string &path) { return cgroup_id(cgroup_directory(path)); };
  const auto has_helper = [](bpf_func_id one) {
    return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, one, nullptr) == 1;
  };
  circumstances.loops = [=] { return has_helper(BPF_FUNC_for_each_map_elem); };
  circumstances.possible_cpus = [=] {
    return has_helper(BPF_FUNC_map_lookup_percpu_elem) ? static_cast<uint32_t>(libbpf_num_possible_cpus()) : 0;
  };
  circumstances.kernel_address = [](const std::string &name) {
    Lines symbols("/proc/kallsyms");
    return address_in_kallsyms(symbols, name);
  };
  plan_ = expr::compile(source_, program, targets, types_, circumstances, settings_);
  check_parameters();
  stacks_ = std::make_unique<ScriptStacks>(session, object, plan_);
}

void Script::check_parameters() const {
  const std::vector<std::string_view> known(plan_.options.begin(), plan_.options.end());
  for (const std::string &word : run_.parameters) {
    const std::string name = word.substr(0, word.find('='));
    if (std::ranges::find(known, name) != known.end()) continue;
    throw usage_error("the program has no option " + printable(name) +
                      (known.empty()                ? "; it has none"
                       : meant(name, known).empty() ? "; it has " + comma_list(known)
                                                    : meant(name, known)));
  }
}

// --- places

// Of several places that a probe has, those count that there are, unless the program says otherwise: names change from
// kernel to kernel.
std::vector<expr::Target> Script::find_targets(const expr::Probe &probe) {
  std::vector<expr::Target> all;
  std::optional<Error> missing;
  for (const expr::AttachPoint &place : probe.places) {
    try {
      for (expr::Target &one : find_targets(place)) all.push_back(std::move(one));
    } catch (const Error &error) {
      missing = error;
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
  if (kind == "kprobe" || kind == "kretprobe" || kind == "fentry" || kind == "fexit")
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
  else if (kind == "iter")
    add_iterator(place, found);
  else if (kind == "self")
    add_signal(place, found);
  else
    throw source_.error(place.at, kind + " probes are not known to strata run yet");
  return found;
}

void Script::add_kernel_functions(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  if (place.words.empty() || place.words.back().empty())
    throw source_.error(place.at, "which function? kprobe:vfs_read");
  const std::vector<std::string> names =
      placed(source_, place, [&] { return find_kernel_functions(place.words.back()); });
  for (const std::string &one : names) {
    expr::Target target = {.kind = place.kind, .title = place.kind + ":" + one, .name = one};
    const std::optional<expr::Function> function = types_.function(one);
    if (target.is_typed() && (!function || types_.in_module(*function))) {
      if (names.size() > 1) continue;
      throw source_.error(place.at, "the kernel's own types do not have the function " + printable(one) + ", as " +
                                        place.kind + " wants it (try: kprobe:" + printable(one) + ")");
    }
    if (function) {
      target.arguments = function->parameters;
      target.result = function->result;
      if (!target.is_typed())
        std::erase_if(target.arguments, [](const expr::Field &field) { return field.offset > 5; });
    }
    found.push_back(std::move(target));
    places_.push_back({.number = function ? function->at.id : 0});
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

void Script::add_user_functions(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  if (place.words.size() < 2)
    throw source_.error(place.at, "a function of a program has two parts: uprobe:/bin/bash:readline");
  std::string name = place.words.back();
  std::erase(name, '"');
  const auto files = placed(source_, place, [&] { return find_user_functions(session_, place.words.front(), name); });
  for (const UserFunctions &file : files)
    for (const auto &function : file.functions) {
      found.push_back(
          {.kind = place.kind, .title = place.kind + ":" + file.path + ":" + function.name, .name = function.name});
      places_.push_back({.number = function.offset, .file = file.path});
    }
}

// usdt:FILE:NAME or usdt:FILE:PROVIDER:NAME. A name may be in several places, with arguments that lie elsewhere in
// each.
void Script::add_static_probes(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  if (place.words.size() < 2 || place.words.size() > 3)
    throw source_.error(place.at, "a static probe has a file and a name: usdt:/usr/sbin/mysqld:query__start");
  const std::string provider = place.words.size() == 3 ? place.words[1] : "";
  const auto files = placed(
      source_, place, [&] { return find_usdt_probes(session_, place.words.front(), provider, place.words.back()); });
  for (const UsdtProbes &file : files)
    for (const UsdtProbe &probe : file.probes) {
      const std::string title = "usdt:" + file.path + ":" + probe.provider + ":" + probe.name;
      const auto operands = expr::operands_of(probe.arguments);
      if (!operands)
        throw source_.error(place.at, "the arguments of " + printable(title) +
                                          " lie where strata run cannot read them yet: " + printable(probe.arguments));
      found.push_back({.kind = "usdt", .title = title, .name = probe.name, .operands = *operands});
      places_.push_back({.number = probe.offset, .semaphore = probe.semaphore_offset, .file = file.path});
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
    if (place.words.size() > 1 && !parse_number(place.words[1], made.number))
      throw source_.error(place.at, "expected the number of events between two samples");
    if (made.number == 0) made.number = 1;
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

// --- the kernel

void Script::load() {
  maps_ = std::make_unique<ScriptMaps>(plan_, object_, *stacks_);
  const bpf_program *filter = bpf_object__find_program_by_name(object_.get(), "run_wanted");
  const bpf_insn *instructions = bpf_program__insns(filter);
  filter_.assign(instructions, instructions + bpf_program__insn_cnt(filter));
  stacks_->start();
  for (size_t i = 0; i < plan_.programs.size(); i++) load_program(i);
}

std::string Script::listing() const {
  std::string text;
  for (const expr::Code &code : plan_.programs)
    for (const expr::Half *half : {&code.main, &code.rest})
      if (!half->instructions.empty())
        text += printable(code.target.title) + (half == &code.main ? "" : ", behind the walk of the stack") + "\n" +
                expr::listing_of(*half, plan_);
  return text;
}

void Script::load_program(size_t i) {
  const expr::Code &code = plan_.programs[i];
  if (!code.rest.instructions.empty()) {
    rests_.push_back(load_half(code.target, code.rest, {}));
    stacks_->add_half(code.target, i, rests_.back().get());
  }
  programs_.push_back(load_half(code.target, code.main, attachment_of(code)));
}

Fd Script::load_half(const expr::Target &target, expr::Half half, Attachment attachment) {
  for (const expr::Reference &one : half.references) half.instructions[one.instruction].imm = maps_->fd_of(one, target);
  if (half.filter_call >= 0) {
    const auto at = static_cast<size_t>(half.filter_call);
    half.instructions[at].imm = static_cast<int32_t>(half.instructions.size() - at - 1);
    half.instructions.insert(half.instructions.end(), filter_.begin(), filter_.end());
  }
  LIBBPF_OPTS(bpf_prog_load_opts, options);
  FunctionTypes types;
  if (!half.functions.empty()) {
    std::vector<uint32_t> first = {0};
    first.insert(first.end(), half.functions.begin(), half.functions.end());
    if (half.filter_call >= 0) first.push_back(static_cast<uint32_t>(half.instructions.size() - filter_.size()));
    types = load_function_types(first);
    options.prog_btf_fd = static_cast<uint32_t>(types.types.get());
    options.func_info = types.functions.data();
    options.func_info_cnt = static_cast<uint32_t>(types.functions.size());
    options.func_info_rec_size = sizeof(types.functions.front());
  }
  options.expected_attach_type = static_cast<bpf_attach_type>(attachment.type);
  options.attach_btf_id = attachment.function;
  const auto load = [&] {
    return Fd(bpf_prog_load(type_of(target), "strata_run", "Dual BSD/GPL", half.instructions.data(),
                            half.instructions.size(), &options));
  };
  Fd fd = load();
  if (fd) return fd;
  const int err = errno;
  std::string log(1 << 20, '\0');
  options.log_buf = log.data();
  options.log_size = static_cast<uint32_t>(log.size());
  options.log_level = 1;
  fd = load();
  if (fd) return fd;
  if (const std::string missing = target.is_typed() ? host().missing(Need::kFentry) : ""; !missing.empty())
    throw Error("cannot attach to " + printable(target.title) + ": " + missing + try_instead(target, target.name));
  const std::string said = log.c_str();
  throw Error("cannot load the program of " + printable(target.title) + ": " + host().diagnose(err) + "\n" +
              said.substr(said.size() > 2000 ? said.size() - 2000 : 0));
}

void Script::run_program(size_t i) const {
  uint64_t none = 0;
  LIBBPF_OPTS(bpf_test_run_opts, options);
  options.ctx_in = &none;
  options.ctx_size_in = sizeof(none);
  const int err = bpf_prog_test_run_opts(programs_[i].get(), &options);
  if (err != 0) throw system_error("cannot run the probe " + plan_.programs[i].target.title, -err);
}

uint64_t Script::skipped() const {
  uint64_t all = 0;
  for (const Fd &program : programs_) {
    bpf_prog_info info = {};
    uint32_t size = sizeof(info);
    if (bpf_obj_get_info_by_fd(program.get(), &info, &size) == 0) all += info.recursion_misses;
  }
  return all;
}

void Script::begin() {
  for (size_t i = 0; i < programs_.size(); i++)
    if (plan_.programs[i].target.is("begin")) run_program(i);
}

void Script::end() {
  for (size_t i = 0; i < programs_.size(); i++)
    if (plan_.programs[i].target.is("end")) run_program(i);
}

void Script::run_in_loop() {
  std::map<uint64_t, std::vector<size_t>> by_signal;  // programs; a signal is read once
  for (size_t i = 0; i < programs_.size(); i++) {
    const ScriptPlace &place = places_[plan_.programs[i].places.front()];
    if (plan_.programs[i].target.is("interval")) session_.loop().every(place.period_ns, [this, i] { run_program(i); });
    if (plan_.programs[i].target.is("self")) by_signal[place.number].push_back(i);
  }
  for (const auto &[signal, programs] : by_signal)
    session_.loop().at_signal(static_cast<int>(signal), [this, of_signal = programs] {
      for (const size_t i : of_signal) run_program(i);
    });
}

}  // namespace strata
