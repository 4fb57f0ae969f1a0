// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where the programs of a script are attached: many functions at once where the kernel knows how, else each by itself.
#include <bpf/bpf.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <iterator>

#include "base/close_apart.h"
#include "base/error.h"
#include "base/text.h"
#include "bpf/host.h"
#include "bpf/named_places.h"
#include "bpf/sample_event.h"
#include "bpf/uprobe.h"
#include "kern/cpus.h"
#include "run/session.h"
#include "subsys/kernel_functions.h"
#include "subsys/script.h"
#include "subsys/script_run.h"

namespace strata {
namespace {

uint32_t pmu_type(const char *name) {
  return number_in<uint32_t>(std::string("/sys/bus/event_source/devices/") + name + "/type").value_or(0);
}

Fd open_event(perf_event_attr attributes, pid_t pid, int cpu) {
  attributes.size = sizeof(attributes);
  return Fd(static_cast<int>(syscall(SYS_perf_event_open, &attributes, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
}

bool of_kernel_functions(const expr::Target &target) { return target.is("kprobe") || target.is("kretprobe"); }

}  // namespace

// What a kprobe could do as well, where there are some.
std::string Script::try_instead(const expr::Target &target, const std::string &function) {
  std::string place;
  if (target.is_typed() && host().missing(Need::kKprobe).empty()) {
    place = "kprobe:" + function;
  } else if (const NearbyTracepoint near = nearby_tracepoint(function, target.returns()); !near.name.empty()) {
    place = near.category.empty() ? "rawtracepoint:" + near.name : "tracepoint:" + near.category + ":" + near.name;
  } else if (target.is_typed()) {
    place = "kprobe:" + function;
  }
  return place.empty() ? "" : " (try: " + printable(place) + ")";
}

void Script::refuse(const expr::Target &target, const expr::PlaceName &name, int err) {
  const std::string missing = of_kernel_functions(target) ? host().missing(Need::kKprobe) : "";
  std::string why = missing.empty() ? host().diagnose(err) : missing + try_instead(target, name.name);
  if (missing.empty() && of_kernel_functions(target) && err == EINVAL)
    why = "the kernel permits no probe there (EINVAL), as in what it only needs to boot";
  refused_.emplace_back(name.title, std::move(why));
}

// In which order probes are attached, so that at a place of several they run in the order in which they are written:
// of those at functions the kernel runs the last one that came first, but where functions of its own return.
std::vector<size_t> Script::order_of_probes() const {
  std::vector<size_t> all;
  std::set<size_t> at_functions;
  for (const expr::Code &code : plan_.programs) {
    if (all.empty() || all.back() != code.probe) all.push_back(code.probe);
    const bool at_function = code.target.has_registers() || code.target.is_typed();
    if (at_function && !code.target.is("kretprobe")) at_functions.insert(code.probe);
  }
  const auto last =
      std::stable_partition(all.begin(), all.end(), [&](size_t probe) { return !at_functions.contains(probe); });
  std::reverse(last, all.end());
  return all;
}

void Script::attach() {
  size_t one_by_one = 0;
  for (const expr::Code &code : plan_.programs)
    if (of_kernel_functions(code.target) && attachment_of(code).type == 0) one_by_one += code.places.size();
  if (!run_.quiet) say_one_by_one(one_by_one);
  for (const size_t probe : order_of_probes()) attach_probe(probe);
}

// Of its places those count that the kernel permits, unless that is none.
void Script::attach_probe(size_t probe) {
  size_t places = 0;
  refused_.clear();
  for (size_t i = 0; i < plan_.programs.size(); i++) {
    if (plan_.programs[i].probe != probe) continue;
    places += plan_.programs[i].places.size();
    if (!plan_.programs[i].target.is_ours() && !ends()) attach_program(i);
  }
  not_attached_ += refused_.size();
  if (refused_.empty()) return;
  using enum expr::Settings::Missing;
  const auto &[place, why] = refused_.front();
  if (refused_.size() == places)
    leave_out(Error("cannot attach to " + printable(place) + ": " + why),
              settings_.missing == kWarn || settings_.missing == kIgnore);
  else
    leave_out(Error(std::to_string(refused_.size()) + " of " + std::to_string(places) + " places, such as " +
                    printable(place) + ": " + why),
              settings_.missing != kError);
}

// The kernel tells a program that is attached to many places at once from others before it is loaded. Of two halves it
// would want both to be of one kind, with the walk between them, which it is not.
Script::Attachment Script::attachment_of(const expr::Code &code) const {
  const ScriptPlace &first = places_[code.places.front()];
  if (code.target.is("iter") || code.target.is_typed())
    return {.type = code.target.is("iter")  ? BPF_TRACE_ITER
                    : code.target.returns() ? BPF_TRACE_FEXIT
                                            : BPF_TRACE_FENTRY,
            .function = {.number = static_cast<uint32_t>(first.number), .module = first.module},
            .program = first.program};
  if (code.places.size() < 2 || !code.rest.instructions.empty()) return {};
  const bool whole = std::ranges::all_of(code.places, [&](uint32_t place) { return places_[place].offset == 0; });
  if (of_kernel_functions(code.target) && whole && has_kprobe_multi()) return {.type = kKprobeMulti};
  return {.type = code.target.in_user_space() && has_uprobe_multi() ? kUprobeMulti : 0};
}

void Script::attach_program(size_t i) {
  const expr::Code &code = plan_.programs[i];
  const int type = attachment_of(code).type;
  if (type == kKprobeMulti) return attach_functions(i);
  if (type == kUprobeMulti) return attach_user_functions(i);
  if (!code.target.is_typed()) {
    for (const uint32_t place : code.places)
      if (!ends()) attach_to_place(i, place);
    return;
  }
  const int link = bpf_raw_tracepoint_open(nullptr, programs_[i].get());
  if (link >= 0)
    attached_.emplace_back(link);
  else
    refuse(code.target, plan_.places[code.places.front()], -link);
}

// Many places take long: a signal is seen between them.
bool Script::ends() { return session_.loop().ending().take(); }

void Script::attach_functions(size_t i) {
  const expr::Code &code = plan_.programs[i];
  std::vector<std::string> names;
  std::vector<uint64_t> cookies;
  for (const uint32_t place : code.places) {
    names.push_back(plan_.places[place].name);
    cookies.push_back(plan_.places[place].cookie);
  }
  KprobeMulti all = attach_kprobe_multi(programs_[i].get(), names, cookies, code.target.returns());
  std::ranges::move(all.links, std::back_inserter(attached_));
  for (const auto &[function, err] : all.refused) refuse(code.target, plan_.places[code.places[function]], err);
}

void Script::attach_user_functions(size_t i) {
  const expr::Code &code = plan_.programs[i];
  const auto tgid = session_.processes().size() == 1 ? static_cast<uint32_t>(session_.processes().front()) : 0;
  for (size_t at = 0; at < code.places.size();) {
    const std::string &file = places_[code.places[at]].file;
    const uint32_t first = code.places[at];
    std::vector<UprobePoint> points;
    for (; at < code.places.size() && places_[code.places[at]].file == file; at++)
      points.push_back({.offset = places_[code.places[at]].number,
                        .semaphore = places_[code.places[at]].semaphore,
                        .cookie = plan_.places[code.places[at]].cookie});
    Fd fd = attach_uprobe_multi(programs_[i].get(), file, points, code.target.returns(), tgid);
    if (fd)
      attached_.push_back(std::move(fd));
    else
      refuse(code.target, plan_.places[first], errno);
  }
}

// A link tells the program where it runs; older kernels take the program without one.
bool Script::attach_to_event(int program, Fd event, const expr::Target &target, const expr::PlaceName &name) {
  int err = event ? 0 : errno;
  if (event && has_uprobe_cookies()) {
    LIBBPF_OPTS(bpf_link_create_opts, options);
    options.perf_event.bpf_cookie = name.cookie;
    const int link = bpf_link_create(program, event.get(), BPF_PERF_EVENT, &options);
    if (link >= 0) attached_.emplace_back(link);
    err = link < 0 ? -link : 0;
  } else if (event && ioctl(event.get(), PERF_EVENT_IOC_SET_BPF, program) != 0) {
    err = errno;
  }
  if (err == 0 && ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0) != 0) err = errno;
  if (err == 0)
    attached_.push_back(std::move(event));
  else
    refuse(target, name, err);
  return err == 0;
}

void Script::detach() { close_apart(std::move(attached_)); }

void Script::attach_samples(size_t i) {
  const expr::Code &code = plan_.programs[i];
  const ScriptPlace &place = places_[code.places.front()];
  const SampleEvent event = place.file.empty() ? clock_event() : *sample_event(place.file);
  perf_event_attr attributes = {};
  attributes.wakeup_events = 1;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.freq = place.rate != 0;
  attributes.sample_period = place.rate != 0 ? place.rate : place.period_ns != 0 ? place.period_ns : place.number;
  for (int cpu = 0; cpu < get_nprocs_conf(); cpu++) {
    Fd fd = open_event(attributes, -1, cpu);
    if (!fd && errno == ENODEV) continue;
    if (!attach_to_event(programs_[i].get(), std::move(fd), code.target, plan_.places[code.places.front()])) return;
  }
}

// In each process and its threads to come; or on each processor, an address of the kernel.
void Script::attach_watchpoint(size_t i) {
  const expr::Code &code = plan_.programs[i];
  const ScriptPlace &place = places_[code.places.front()];
  const expr::PlaceName &name = plan_.places[code.places.front()];
  std::vector<pid_t> processes(session_.processes().begin(), session_.processes().end());
  if (session_.command_pid() > 0) processes.push_back(session_.command_pid());
  perf_event_attr attributes = {};
  attributes.type = PERF_TYPE_BREAKPOINT;
  attributes.wakeup_events = 1;
  attributes.sample_period = 1;
  attributes.bp_addr = place.number;
  attributes.bp_len = place.access == HW_BREAKPOINT_X ? sizeof(long) : place.bytes;
  attributes.bp_type = place.access;
  attributes.inherit = processes.empty() ? 0 : 1;
  for (const pid_t one : processes)
    if (!attach_to_event(programs_[i].get(), open_event(attributes, one, -1), code.target, name)) return;
  for (int cpu = 0; processes.empty() && cpu < get_nprocs_conf(); cpu++) {
    Fd fd = open_event(attributes, -1, cpu);
    if (!fd && errno == ENODEV) continue;
    if (!attach_to_event(programs_[i].get(), std::move(fd), code.target, name)) return;
  }
}

void Script::attach_to_place(size_t i, uint32_t number) {
  const expr::Code &code = plan_.programs[i];
  const expr::Target &target = code.target;
  const expr::PlaceName &name = plan_.places[number];
  const ScriptPlace &place = places_[number];
  const int program = programs_[i].get();
  perf_event_attr attributes = {};
  attributes.wakeup_events = 1;
  attributes.sample_period = 1;
  if (target.is("rawtracepoint")) {
    attached_.push_back(attach_raw_tracepoint(program, name.name, name.cookie));
    if (!attached_.back()) refuse(target, name, errno);
    return;
  }
  if (target.is("tracepoint")) {
    attributes.type = PERF_TYPE_TRACEPOINT;
    attributes.config = place.number;
  } else if (target.in_user_space()) {
    attributes.type = pmu_type("uprobe");
    constexpr unsigned kSemaphore = 32;  // from this bit on
    attributes.config = (target.returns() ? 1 : 0) | place.semaphore << kSemaphore;
    attributes.config1 = reinterpret_cast<uint64_t>(place.file.c_str());
    attributes.config2 = place.number;
  } else if (target.has_registers()) {
    attributes.type = pmu_type("kprobe");
    attributes.config = target.returns() ? 1 : 0;
    attributes.config1 = reinterpret_cast<uint64_t>(name.name.c_str());
    attributes.config2 = place.offset;
  } else if (target.is("watchpoint")) {
    return attach_watchpoint(i);
  } else {
    return attach_samples(i);
  }
  const bool one_process = target.in_user_space() && session_.processes().size() == 1;
  Fd fd =
      open_event(attributes, one_process ? static_cast<pid_t>(session_.processes().front()) : -1, one_process ? -1 : 0);
  attach_to_event(program, std::move(fd), target, name);
}

}  // namespace strata
