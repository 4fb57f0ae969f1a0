// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/block.h"

#include "base/outlet.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/cgroup.h"
#include "kern/find_disk.h"
#include "run/session.h"

namespace strata {

void choose_disk(const Values &values, Object &object, DiskKind kind) {
  if (!values.given("disk")) return;
  const std::string &name = values.text("disk");
  const FoundDisk disk = kind == DiskKind::kAny ? find_disk(name) : find_disk_with_requests(name);
  object.set_constant("wanted_dev", disk.dev);
  object.set_constant("sectors_begin", disk.begin);
  object.set_constant("sectors_end", disk.end);
}

bool choose_cgroup(const Values &values, Object &object) {
  const std::string path = cgroup_directory(values.text("cgroup"));
  const uint64_t id = path.empty() ? 0 : cgroup_id(path);
  if (id == 0) return false;
  if (has_controller(path, "io")) {
    object.set_constant("wanted_blkcg", id);
    return true;
  }
  say("the io controller is not enabled in %s: only I/O is counted that its tasks issue themselves, not what the "
      "kernel writes back for them\n",
      printable(path).c_str());
  return false;
}

bool filters_tasks(const Session &session, bool charged) {
  const Values &values = session.values();
  return any_given(values, {"pid", "tid", "comm", "unit", "container", "pod"}) || session.traced_command() != 0 ||
         (values.given("cgroup") && !charged);
}

}  // namespace strata
