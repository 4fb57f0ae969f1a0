// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/clock.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/nearest.h"
#include "base/outlet.h"
#include "base/text.h"
#include "bpf/filter.h"
#include "bpf/function_types.h"
#include "bpf/host.h"
#include "bpf/named_places.h"
#include "bpf/object.h"
#include "bpf/ring.h"
#include "bpf/typed.h"
#include "bpf/uprobe.h"
#include "cli/values.h"
#include "expr/listing.h"
#include "expr/parser.h"
#include "kern/cgroup.h"
#include "run/run.h"
#include "run/session.h"
#include "subsys/script_run.h"
#include "subsys/script_types.h"
#include "sym/kallsyms.h"

namespace strata {
namespace {

bpf_prog_type type_of(const expr::Target &target) {
  if (target.has_registers()) return BPF_PROG_TYPE_KPROBE;
  if (target.is_typed() || target.is("iter")) return BPF_PROG_TYPE_TRACING;
  if (target.is("tracepoint")) return BPF_PROG_TYPE_TRACEPOINT;
  if (target.is_sample()) return BPF_PROG_TYPE_PERF_EVENT;
  return BPF_PROG_TYPE_RAW_TRACEPOINT;
}

}  // namespace

Script::Script(Session &session, Object &object, const ScriptRun &run, uint64_t ring_bytes)
    : session_(session), object_(object), run_(run), source_(run.source), types_(kernel_expr_types()) {
  expr::Program program = expr::parse(source_, run.arguments);
  settings_ = expr::settings_of(source_, program, getenv);
  types_.define(program, source_);
  std::vector<std::vector<expr::Target>> targets;
  for (const expr::Probe &probe : program.probes) targets.push_back(find_targets(probe));
  add_program_arguments(targets);
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
  circumstances.loss_turns = LOSS_RUN_TURNS;
  circumstances.wake_shift = wake_shift(ring_bytes);
  circumstances.cookies = has_uprobe_cookies();
  circumstances.raw_cookies = has_tracepoint_cookies();
  circumstances.function_address = has_uprobe_multi();  // of the same release
  circumstances.filters = session.filters_tasks();
  circumstances.unsafe = run.unsafe;
  circumstances.rows = !run.rows.empty();
  circumstances.parameters = run.parameters;
  circumstances.real_ns = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
  circumstances.tai_ns = clock_ns(CLOCK_TAI) - clock_ns(CLOCK_MONOTONIC);
  const PidNamespace own = own_pid_namespace();
  circumstances.pidns_dev = own.dev, circumstances.pidns_ino = own.ino;
  circumstances.cgroup_id = [](const std::string &path) { return cgroup_id(cgroup_directory(path)); };
  const auto has_helper = [](bpf_func_id one) {
    return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, one, nullptr) == 1;
  };
  circumstances.loops = [=] { return has_helper(BPF_FUNC_for_each_map_elem); };
  circumstances.ranges = [=] { return has_helper(BPF_FUNC_loop); };
  circumstances.possible_cpus = [=] {
    return has_helper(BPF_FUNC_map_lookup_percpu_elem) ? static_cast<uint32_t>(libbpf_num_possible_cpus()) : 0;
  };
  circumstances.kernel_address = [](const std::string &name) {
    Lines symbols("/proc/kallsyms");
    return address_in_kallsyms(symbols, name);
  };
  plan_ = expr::compile(source_, program, targets, types_, circumstances, settings_);
  check_parameters();
  if (plan_.names_cgroups) session.show_groups();
  stacks_ = std::make_unique<ScriptStacks>(session, object, plan_);
}

void Script::add_program_arguments(std::vector<std::vector<expr::Target>> &targets) {
  probed_.read();
  auto place = places_.cbegin();
  for (std::vector<expr::Target> &of_probe : targets)
    for (expr::Target &target : of_probe) {
      if (target.is("uprobe") || target.is("uretprobe"))
        probed_.describe(target, place->file, place->number, place->offset != 0, types_);
      ++place;
    }
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

void Script::load() {
  maps_ = std::make_unique<ScriptMaps>(plan_, object_, *stacks_, run_.order, session_.out());
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
  if (!set_attach_target(attachment.function, options))
    throw Error("cannot attach to " + printable(target.title) + ": the kernel shows no types of the module " +
                printable(attachment.function.module) + try_instead(target, target.name));
  if (attachment.program >= 0) options.attach_prog_fd = static_cast<uint32_t>(attachment.program);
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
  if (target.is("iter") && said.find("call bpf_d_path") != std::string::npos)
    throw Error("cannot load the program of " + printable(target.title) +
                ": this kernel tells iterators no paths; str(ctx.file.f_path.dentry.d_name.name) is a file's own name");
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
