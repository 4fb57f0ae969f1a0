// Iterators: the kernel calls a program with each object of a kind, such as its tasks, one after the other.
#include <bpf/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "run/session.h"
#include "subsys/script.h"
#include "subsys/script_run.h"
#include "subsys/script_types.h"

namespace strata {

void Script::add_iterator(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  const std::vector<std::string> names = iterator_names(types_);
  const std::string name = place.words.empty() ? "" : place.words[0];
  if (place.words.size() != 1 || name.empty())
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
  places_.push_back({.number = function->at.id});
}

// A program that finds no room for what it sends has the kernel say EAGAIN, as does one that went through a million.
bool Script::run_iterators(const std::function<void()> &drain) {
  bool alone = false;
  for (size_t i = 0; i < programs_.size(); i++) {
    const expr::Target &target = plan_.programs[i].target;
    if (!target.is("iter")) continue;
    alone = true;
    bpf_iter_link_info all = {};
    all.cgroup.order = BPF_CGROUP_ITER_DESCENDANTS_PRE;
    LIBBPF_OPTS(bpf_link_create_opts, options);
    if (target.name == "cgroup") options.iter_info = &all, options.iter_info_len = sizeof(all);
    const Fd link(bpf_link_create(programs_[i].get(), 0, BPF_TRACE_ITER, &options));
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
  return alone && std::ranges::all_of(plan_.programs, [](const expr::Code &code) {
           return code.target.is("iter") || code.target.is("begin") || code.target.is("end");
         });
}

}  // namespace strata
