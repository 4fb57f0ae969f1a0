// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Iterators: the kernel calls a program with each object of a kind, such as its tasks, one after the other.
#include <bpf/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "model/printed.h"
#include "run/session.h"
#include "subsys/script.h"
#include "subsys/script_run.h"
#include "subsys/script_types.h"

namespace strata {

void Script::add_iterator(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  const std::vector<std::string> names = iterator_names(types_);
  const std::string name = place.words.empty() ? "" : place.words[0];
  const std::string pin = place.words.size() == 2 ? place.words[1] : "";
  if (place.words.size() > 2 || name.empty() || (place.words.size() == 2 && pin.empty()))
    throw source_.error(place.at, "an iterator has a name: iter:task (there are " + comma_list(names) + ")");
  const std::optional<expr::Function> function = types_.function(kIteratorPrefix + name);
  if (!function || std::ranges::find(names, name) == names.end())
    throw source_.error(place.at,
                        "this kernel has no iterator " + printable(name) +
                            (meant(name, names).empty() ? "; it has " + comma_list(names) : meant(name, names)));
  if (types_.in_module(*function))
    throw source_.error(place.at,
                        "iterators of modules, as " + printable(name) + " is, are not known to strata run yet");
  found.push_back({.kind = place.kind, .title = place.kind + ":" + name, .name = name});
  found.back().arguments = iterator_fields(name, types_);
  found.back().pinned = !pin.empty();
  places_.push_back({.number = function->at.id, .file = pin.empty() || pin[0] == '/' ? pin : "/sys/fs/bpf/" + pin});
}

// A file of the kernel's, which runs the program for each who reads it, until it is deleted.
void Script::pin(const Fd &link, const std::string &path) {
  const bool dotted = path.find('.', path.rfind('/') + 1) != std::string::npos;
  if (dotted) throw Error("cannot pin an iterator to " + printable(path) + ": names there have no dots");
  if (bpf_obj_pin(link.get(), path.c_str()) != 0)
    throw system_error("cannot pin an iterator to " + printable(path) +
                       (errno == EEXIST ? ", which is there (try: rm " + printable(path) + ")" : ""));
  const std::string text = "Program pinned to " + printable(path) + "\n";
  const Printed printed = {.type = &kPinnedLine, .data = {path}, .text = text};
  session_.out().put(printed);
}

// A program that finds no room for what it sends has the kernel say EAGAIN, as does one that went through a million.
void Script::run_iterator(size_t i, const std::function<void()> &drain) {
  const expr::Target &target = plan_.programs[i].target;
  bpf_iter_link_info all = {};
  all.cgroup.order = BPF_CGROUP_ITER_DESCENDANTS_PRE;
  LIBBPF_OPTS(bpf_link_create_opts, options);
  if (target.name == "cgroup") options.iter_info = &all, options.iter_info_len = sizeof(all);
  const Fd link(bpf_link_create(programs_[i].get(), 0, BPF_TRACE_ITER, &options));
  if (link && target.pinned) return pin(link, places_[plan_.programs[i].places.front()].file);
  const Fd objects(link ? bpf_iter_create(link.get()) : -1);
  if (!objects) throw system_error("cannot attach to " + printable(target.title));
  std::array<char, 4096> nothing;
  Loop &loop = session_.loop();
  drain();  // exit() of `begin`
  for (ssize_t got = -1; got != 0 && !loop.stopped() && !loop.ending().begun(); drain()) {
    got = read(objects.get(), nothing.data(), nothing.size());
    if (got < 0 && errno != EAGAIN && errno != EINTR) throw system_error("cannot read " + printable(target.title));
  }
}

void Script::run_iterators(const std::function<void()> &drain) {
  for (size_t i = 0; i < programs_.size(); i++)
    if (plan_.programs[i].target.is("iter")) run_iterator(i, drain);
}

bool Script::waits_for_nothing() const {
  return std::ranges::all_of(plan_.programs, [](const expr::Code &code) {
    return code.target.is("iter") || code.target.is("begin") || code.target.is("end");
  });
}

}  // namespace strata
