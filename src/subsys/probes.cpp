// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/probes.h"

#include <bpf/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "base/outlet.h"
#include "base/pattern.h"
#include "base/text.h"
#include "bpf/host.h"
#include "bpf/named_places.h"
#include "bpf/object.h"
#include "bpf/uprobe.h"
#include "btf/kernel_types.h"
#include "cli/values.h"
#include "expr/bcc_probe.h"
#include "expr/source.h"
#include "kern/errno.h"
#include "kern/tracefs.h"
#include "run/session.h"
#include "stackcount/stackcount.h"
#include "subsys/kernel_functions.h"
#include "subsys/user_functions.h"

namespace strata {
namespace {

constexpr size_t kMost = 1000;  // places
constexpr std::string_view kTracepointHook = "tracepoint_hit", kKernelHook = "kernel_call", kUserHook = "user_call";

std::string instead_of(const std::string &function) {
  if (!has_function(function)) return "";
  const NearbyTracepoint near = nearby_tracepoint(function, false);
  if (near.category.empty() && !near.name.empty())
    return "; its tracepoint is to be had: strata stackcount rt:" + near.name;
  if (has_tracepoint(near.name))
    return "; a tracepoint near to it is to be had: strata stackcount t:" + near.category + ":" + near.name;
  return "; tracepoints and functions of programs are to be had: strata help stackcount says how they are written";
}

std::string own_path(const Fd &file) { return "/proc/self/fd/" + std::to_string(file.get()); }

// One by one each takes 7 ms to attach, and up to 40 to detach.
void show_progress(size_t done, size_t all) {
  if (isatty(STDERR_FILENO) == 0) return;
  if (done < all)
    fprintf(stderr, "\rattached to %zu of %zu functions", done, all);
  else
    fputs("\r\x1b[K", stderr);
}

std::vector<std::string> names_of(std::span<const ProbeName> probes) {
  std::vector<std::string> names;
  for (const ProbeName &probe : probes) names.push_back(probe.name);
  return names;
}

// Of bcc's -r: patterns, each of which is a probe.
std::vector<ProbeName> probes_of_regex(const std::string &operand) {
  using enum ProbeName::Kind;
  constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
      {"usdt:", "u:"}, {"uprobe:", "p:"}, {"kprobe:", "p::"}, {"k:", "p::"}, {"tracepoint:", "t:"}};
  std::string text = operand;
  for (const auto &[theirs, bccs] : kKinds)
    if (operand.starts_with(theirs)) text = std::string(bccs) + operand.substr(theirs.size());
  const expr::BccPlace place = expr::bcc_place({"PROBE", text}, expr::BccNaming::kRegular);
  if (place.type == 'r') throw usage_error("calls are counted where functions begin, not where they return");
  std::vector<ProbeName> probes;
  for (const std::string &name : place.names)
    probes.push_back({.kind = place.type == 't'       ? kTracepoint
                              : place.type == 'u'     ? kStaticProbeOrUserFunction
                              : place.library.empty() ? kKernelFunction
                                                      : kUserFunction,
                      .place = place.library,
                      .name = name});
  return probes;
}

// Of a name that is too long for the map its end, which tells functions of one file apart.
std::string shortened(const std::string &name, size_t bytes) {
  constexpr std::string_view kLeftOut = "...";
  if (name.size() <= bytes) return name;
  return std::string(kLeftOut) + name.substr(name.size() - (bytes - kLeftOut.size()));
}

}  // namespace

Probes::Probes(Session &session, Object &object, std::span<const std::string> operands, bool regular)
    : session_(session), object_(object) {
  if (operands.empty())
    throw usage_error("what is to be counted? A PROBE is missing, such as t:sched:sched_switch, vfs_read or c:malloc");
  for (const std::string &operand : operands)
    for (ProbeName &probe : regular ? probes_of_regex(operand) : std::vector{parse_probe(operand)})
      add(std::move(probe));
  check_number();
  set_targets();
  check_hooks();
  name_places();
  session.when_attached([this] {
    say_left_out();
    attach_user_places();
  });
}

void Probes::add(ProbeName probe) {
  using enum ProbeName::Kind;
  if (probe.kind == kTracepointOrUserFunction) probe.kind = has_tracepoint(probe.name) ? kTracepoint : kUserFunction;
  if (probe.kind == kStaticProbeOrUserFunction) {
    std::vector<UsdtProbes> found = usdt_probes_in(session_, probe.place, "", probe.name);
    probe.kind = kUserFunction;
    if (!found.empty() && is_pattern(probe.name))
      say("u:%s:%s are static probes (USDT) here; functions would be p:%s:%s\n", printable(probe.place).c_str(),
          printable(probe.name).c_str(), printable(probe.place).c_str(), printable(probe.name).c_str());
    if (!found.empty()) return add_static_probes(std::move(found));
  }
  if (probe.kind == kTracepoint) return add_tracepoints(probe);
  if (probe.kind == kStaticProbe) {
    const size_t colon = probe.name.find(':');
    const std::string provider = colon == std::string::npos ? "" : probe.name.substr(0, colon);
    const std::string name = probe.name.substr(provider.empty() ? 0 : colon + 1);
    return add_static_probes(find_usdt_probes(session_, probe.place, provider, name));
  }
  if (probe.kind == kKernelFunction) return add_kernel_functions(probe);
  add_user_functions(probe);
}

void Probes::add_tracepoints(const ProbeName &probe) {
  const Tracefs tracefs;
  std::vector<std::string> names = {probe.name};
  if (is_pattern(probe.name)) {
    if (!probe.place.empty() && !tracefs)
      throw Error("cannot list the tracepoints of " + printable(probe.place) + ": no tracefs (" +
                  errno_name(tracefs.error()) + "); by their names alone they are rt:" + printable(probe.name));
    names = probe.place.empty() ? tracepoints_like(probe.name) : tracefs.events(probe.place);
    std::erase_if(names,
                  [&](const std::string &name) { return !pattern_matches(probe.name, name) || !has_tracepoint(name); });
    std::ranges::sort(names);
    if (names.empty()) throw Error("this kernel has no tracepoints " + printable(probe_title(probe.place, probe.name)));
  } else if (!has_tracepoint(probe.name)) {
    throw Error("this kernel has no tracepoint " + printable(probe.name) + meant(probe.name, tracepoints_like("*")));
  } else if (!probe.place.empty() && tracefs && !tracefs.id(probe.place, probe.name)) {
    throw Error("the tracepoint " + printable(probe.name) + " is not one of " + printable(probe.place) +
                "; by its name alone it is rt:" + printable(probe.name));
  }
  for (const std::string &name : names)
    if (known_tracepoints_.insert(name).second)
      tracepoints_.push_back({.kind = probe.kind, .place = probe.place, .name = name});
}

void Probes::add_kernel_functions(const ProbeName &probe) {
  for (const std::string &name : find_kernel_functions(probe.name))
    if (known_functions_.insert(name).second)
      kernel_functions_.push_back({.kind = probe.kind, .place = probe.place, .name = name});
}

void Probes::add_user_functions(const ProbeName &probe) {
  for (UserFunctions &one : find_user_functions(session_, probe.place, probe.name)) {
    std::vector<UserPlace> places;
    for (const auto &function : one.functions) places.push_back({.name = function.name, .offset = function.offset});
    add_user_places(std::move(one.file), one.path, std::move(places));
  }
}

void Probes::add_static_probes(std::vector<UsdtProbes> found_probes) {
  for (UsdtProbes &one : found_probes) {
    std::vector<UserPlace> places;
    for (const UsdtProbe &found : one.probes)
      places.push_back({.name = found.name, .offset = found.offset, .semaphore = found.semaphore_offset});
    add_user_places(std::move(one.file), one.path, std::move(places));
  }
}

void Probes::add_user_places(Fd file, const std::string &path, std::vector<UserPlace> places) {
  const FileId id = file_id(file.get());
  std::erase_if(places, [&](const UserPlace &place) { return !known_.insert({id, place.offset}).second; });
  if (!places.empty()) user_places_.push_back({.file = std::move(file), .path = path, .places = std::move(places)});
}

void Probes::check_number() const {
  size_t places = tracepoints_.size() + kernel_functions_.size();
  for (const UserPlaces &file : user_places_) places += file.places.size();
  if (places > kMost && !session_.values().given("force"))
    throw usage_error("these are " + std::to_string(places) + " places, which slow the host down; more than " +
                      std::to_string(kMost) + " need --force");
  if (!has_kprobe_multi()) say_one_by_one(kernel_functions_.size());
}

void Probes::set_targets() {
  if (!tracepoints_.empty()) object_.set_targets(kTracepointHook, names_of(tracepoints_));
  if (!kernel_functions_.empty())
    object_.set_targets(kKernelHook, names_of(kernel_functions_), tracepoints_.size(),
                        [all = kernel_functions_.size()](size_t done) { show_progress(done, all); });
  object_.enable(kTracepointHook, !tracepoints_.empty());
  object_.enable(kKernelHook, !kernel_functions_.empty());
  object_.enable(kUserHook, !user_places_.empty());
}

// They are optional in the table of hooks, where each way is one of several.
void Probes::check_hooks() {
  for (const Object::Choice &choice : object_.chosen()) {
    if (choice.hook != kTracepointHook && choice.hook != kKernelHook && choice.hook != kUserHook) continue;
    if (!choice.variant.empty() || choice.why == Object::kNotAskedFor) continue;
    throw Error("cannot count these calls: " + choice.why +
                (choice.hook == kKernelHook ? instead_of(kernel_functions_.front().name) : ""));
  }
}

// The programs copy the names from the map; a place has the same number there and as its cookie.
void Probes::name_places() {
  std::vector<std::string> names;
  for (const ProbeName &one : tracepoints_) names.push_back(probe_title(one.place, one.name));
  for (const ProbeName &one : kernel_functions_) names.push_back(one.name);
  for (const UserPlaces &file : user_places_)
    for (const UserPlace &place : file.places) names.push_back(probe_title(file.path, place.name));
  // Without a cookie all have the first number.
  const bool one_for_all = !has_uprobe_cookies() || (tracepoints_.size() > 1 && !has_tracepoint_cookies());
  if (names.size() > 1 && one_for_all) names.front().clear();
  object_.set_max_entries("probes", static_cast<uint32_t>(names.size()));
  object_.set_constant("cookies", has_uprobe_cookies());
  object_.set_constant("tracepoint_cookies", has_tracepoint_cookies());
  session_.when_loaded([this, names = std::move(names)] {
    for (uint32_t i = 0; i < names.size(); i++) {
      probe_name one = {};
      shortened(names[i], sizeof(one.name) - 1).copy(one.name, sizeof(one.name) - 1);
      if (bpf_map_update_elem(object_.map_fd("probes"), &i, &one, BPF_ANY) != 0)
        throw system_error("cannot fill the BPF map probes");
    }
  });
}

void Probes::say_left_out() const {
  const std::vector<std::string> &names = object_.left_out();
  if (names.empty()) return;
  if (user_places_.empty() && names.size() == tracepoints_.size() + kernel_functions_.size())
    throw Error("cannot count these calls: the kernel permits no programs in " + names.front());
  say("not counted, as the kernel permits no programs there: %s%s\n", names.front().c_str(),
      names.size() > 1 ? (" and " + std::to_string(names.size() - 1) + " more").c_str() : "");
}

void Probes::attach_user_places() const {
  uint64_t cookie = tracepoints_.size() + kernel_functions_.size();
  for (const UserPlaces &file : user_places_) {
    std::vector<UprobePoint> points;
    for (const UserPlace &place : file.places)
      points.push_back({.offset = place.offset, .semaphore = place.semaphore, .cookie = cookie++});
    const int err = object_.attach_uprobes(kUserHook, own_path(file.file), points);
    if (err != 0) throw Error("cannot trace " + printable(file.path) + ": " + errno_name(err) + " (-v says more)");
  }
}

}  // namespace strata
