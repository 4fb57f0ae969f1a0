// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What of an object is attached, and to what.
#include <bpf/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/close_apart.h"
#include "base/text.h"
#include "bpf/log.h"
#include "bpf/named_places.h"
#include "bpf/object.h"
#include "bpf/uprobe.h"
#include "kern/names_in.h"

namespace strata {
namespace {

// Its section names no place, and its variant tells of none: it is run by hand, or by other programs.
bool is_run_only(const bpf_program *program, const Variant *variant) {
  const std::string_view section = bpf_program__section_name(program);
  return section == "raw_tp" || (variant == nullptr && section.find('/') == std::string_view::npos);
}

// Those on which kprobes and uprobes are: libbpf keeps them beside the links.
std::vector<int> perf_events() {
  const std::string folder = "/proc/self/fd/";
  std::vector<int> found;
  for (const std::string &name : names_in(folder)) {
    char target[64] = {};
    const ssize_t size = readlink((folder + name).c_str(), target, sizeof(target));
    uint64_t fd = 0;
    if (size > 0 && std::string_view(target, static_cast<size_t>(size)) == "anon_inode:[perf_event]" &&
        parse_number(name, fd))
      found.push_back(static_cast<int>(fd));
  }
  return found;
}

}  // namespace

bool Object::attach_one(const Slot &slot) {
  const bool kprobe = is_of(slot.variant, Need::kKprobe);
  const bool returns = kprobe && slot.variant->suffix == std::string_view("kretprobe");
  Link link(kprobe                   ? bpf_program__attach_kprobe(slot.program, returns, slot.target.c_str())
            : is_typed(slot.program) ? bpf_program__attach_trace(slot.program)
                                     : bpf_program__attach(slot.program));
  if (!link) return false;
  links_.push_back({.hook = slot.hook, .link = std::move(link)});
  return true;
}

// What the kernel refuses is left out, unless that is all.
void Object::attach_each(Slot &slot) {
  if (is_of(slot.variant, Need::kKprobe) && has_kprobe_multi()) {
    std::vector<uint64_t> cookies(slot.targets.size());
    std::iota(cookies.begin(), cookies.end(), slot.first_cookie);
    KprobeMulti all = attach_kprobe_multi(bpf_program__fd(slot.program), slot.targets, cookies);
    for (Fd &link : all.links) links_.push_back({.hook = slot.hook, .link = {}, .fd = std::move(link)});
    for (const auto &refused : all.refused) left_out_.push_back(slot.targets[refused.function]);
    if (all.links.empty()) drop(slot, host_.diagnose(all.refused.front().err));
    return;
  }
  int err = 0;
  for (size_t i = 0; i < slot.targets.size(); i++) {
    if (slot.progress) slot.progress(i);
    if (attach_target(slot, i)) continue;
    err = errno;
    left_out_.push_back(slot.targets[i]);
  }
  if (slot.progress) slot.progress(slot.targets.size());
  if (left_out_.size() == slot.targets.size()) drop(slot, host_.diagnose(err));
}

bool Object::attach_target(const Slot &slot, size_t i) {
  const uint64_t cookie = slot.first_cookie + i;
  Attached one = {.hook = slot.hook, .link = {}, .fd = {}};
  if (is_of(slot.variant, Need::kKprobe)) {
    LIBBPF_OPTS(bpf_kprobe_opts, options);
    if (has_uprobe_cookies()) options.bpf_cookie = cookie;
    one.link.reset(bpf_program__attach_kprobe_opts(slot.program, slot.targets[i].c_str(), &options));
  } else {
    one.fd = attach_raw_tracepoint(bpf_program__fd(slot.program), slot.targets[i], cookie);
  }
  if (!one.link && !one.fd) return false;
  links_.push_back(std::move(one));
  return true;
}

void Object::attach_hook(const std::string &hook) {
  if (denied(hook)) return;
  for (Slot &slot : slots_) {
    if (!slot.taken || slot.hook != hook) continue;
    if (!slot.targets.empty()) {
      attach_each(slot);
      continue;
    }
    if (is_of(slot.variant, Need::kUprobe) || is_of(slot.variant, Need::kIterator) ||
        is_run_only(slot.program, slot.variant))
      continue;
    if (is_of(slot.variant, Need::kPerfEvent)) {
      sampling_.attach(slot.program);
      continue;
    }
    if (attach_one(slot)) continue;
    const int err = errno;
    print_libbpf_log();
    drop(slot, host_.diagnose(err));
  }
}

void Object::attach() {
  const auto attached = [&](const std::string &hook) {
    return std::any_of(links_.begin(), links_.end(), [&](const auto &link) { return link.hook == hook; });
  };
  try {
    for (auto hook = order_.rbegin(); hook != order_.rend(); ++hook) {
      if (!attached(*hook)) attach_hook(*hook);
    }
  } catch (...) {
    detach();
    throw;
  }
}

int Object::attach_uprobes(std::string_view hook, const std::string &path, std::span<const UprobePoint> points,
                           uint32_t tgid) {
  const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const Slot &one) {
    return one.taken && one.hook == hook && is_of(one.variant, Need::kUprobe);
  });
  if (slot == slots_.end()) return ENOENT;
  const bool returns = slot->variant->suffix == std::string_view("uretprobe");
  if (has_uprobe_multi()) {
    Fd fd = attach_uprobe_multi(bpf_program__fd(slot->program), path, points, returns, tgid);
    if (!fd) return errno;
    const Places places = returns ? Places::kReturns : Places::kEntries;
    links_.push_back({.hook = slot->hook, .fd = std::move(fd), .tgid = tgid, .places = places});
    return 0;
  }
  for (const UprobePoint &point : points) {
    LIBBPF_OPTS(bpf_uprobe_opts, options);
    options.retprobe = returns;
    if (has_uprobe_cookies()) options.bpf_cookie = point.cookie;
    const pid_t process = tgid == 0 ? -1 : static_cast<pid_t>(tgid);
    Link link(bpf_program__attach_uprobe_opts(slot->program, process, path.c_str(), point.offset, &options));
    if (!link) return errno;
    links_.push_back({.hook = slot->hook, .link = std::move(link), .tgid = tgid});
  }
  return 0;
}

void Object::detach_uprobes(uint32_t tgid) {
  std::erase_if(links_, [&](const Attached &one) { return one.tgid != 0 && one.tgid == tgid; });
}

// In the table's order, the reverse of attaching: nothing begins any more while what follows is still watched.
// A probe that is an event of perf is inert as soon as its link is closed; the event, which takes 40 ms for each, is
// closed apart. Before there were such links (5.15, as the cookies) the program is the event's own. Places of many
// files, each of which is closed in 40 ms: all at once, those that begin something before those that end it.
void Object::detach() {
  sampling_.detach();
  const bool probes = std::any_of(slots_.begin(), slots_.end(), [](const Slot &slot) {
    return slot.taken && (is_of(slot.variant, Need::kUprobe) || is_of(slot.variant, Need::kKprobe));
  });
  const HeldApart events(probes && has_uprobe_cookies() ? perf_events() : std::vector<int>());
  for (const Places places : {Places::kEntries, Places::kReturns}) {
    std::vector<Fd> files;
    for (Attached &one : links_)
      if (one.places == places) files.push_back(std::move(one.fd));
    close_together(std::move(files));
  }
  while (!links_.empty()) links_.pop_back();
}

void Object::detach_apart() {
  std::vector<int> all = perf_events();
  for (const Attached &one : links_) all.push_back(one.fd ? one.fd.get() : bpf_link__fd(one.link.get()));
  const HeldApart held(std::move(all));
  detach();
}

void Object::detach(std::span<const std::string_view> hooks) {
  std::erase_if(links_, [&](const auto &link) {
    return std::find(hooks.begin(), hooks.end(), std::string_view(link.hook)) != hooks.end();
  });
}

}  // namespace strata
