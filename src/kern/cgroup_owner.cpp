// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Paths that runtimes make, by systemd and without it (the driver "cgroupfs"):
//
//   docker       /system.slice/docker-ID.scope                                   /docker/ID
//   podman       /machine.slice/libpod-ID.scope/container                        /libpod_parent/libpod-ID
//   Kubernetes   /kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podUID.slice/cri-containerd-ID.scope
//                (crio-ID.scope, docker-ID.scope; _ for - in UID)                /kubepods/burstable/podUID/ID
//   LXC          /lxc.payload.NAME, before 4.0 /lxc/NAME
//   nspawn       /machine.slice/machine-NAME.scope, /machine.slice/systemd-nspawn@NAME.service
#include "kern/cgroup_owner.h"

#include <algorithm>
#include <array>

namespace strata {
namespace {

constexpr size_t kIdDigits = 64;

bool is_hex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

// "\x2d" -> "-", as systemd-escape(1) makes it; what is no such thing stays.
std::string unescaped_unit(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < name.size(); i++) {
    const size_t high =
        i + 3 < name.size() && name.substr(i, 2) == "\\x" ? kDigits.find(name[i + 2]) : std::string_view::npos;
    const size_t low = high == std::string_view::npos ? high : kDigits.find(name[i + 3]);
    if (low == std::string_view::npos) {
      text += name[i];
    } else {
      text += static_cast<char>(high * 16 + low);
      i += 3;
    }
  }
  return text;
}

bool without(std::string_view &text, std::string_view before, std::string_view behind) {
  if (text.size() < before.size() + behind.size() || !text.starts_with(before) || !text.ends_with(behind)) return false;
  text = text.substr(before.size(), text.size() - before.size() - behind.size());
  return true;
}

// A unit that has processes of its own; a slice has others in it.
bool is_unit(std::string_view name) {
  constexpr std::array<std::string_view, 5> kKinds = {".service", ".scope", ".mount", ".socket", ".swap"};
  return std::ranges::any_of(kKinds,
                             [&](std::string_view kind) { return name.size() > kind.size() && name.ends_with(kind); });
}

// "burstable-pod0a1b_...": behind the last "pod".
std::string pod_in(std::string_view name) {
  const bool slice = name.ends_with(".slice");
  if (slice) name.remove_suffix(6);
  const size_t podman = name.find("libpod_pod_");
  if (podman != std::string_view::npos) {
    const std::string_view id = name.substr(podman + 11);
    return is_container_id(id) ? std::string(id) : "";
  }
  const size_t at = name.rfind("pod");
  if (at == std::string_view::npos || (at != 0 && !(slice && name[at - 1] == '-'))) return "";
  std::string uid(name.substr(at + 3));
  std::ranges::replace(uid, '_', '-');
  const bool usual = uid.size() == 36 && is_hex(uid.substr(0, 8)) && uid[8] == '-' && is_hex(uid.substr(24));
  const bool of_file = uid.size() == 32 && is_hex(uid);  // a static pod: a hash of its manifest
  return usual || of_file ? uid : "";
}

// `parent` is the name of the group above it.
std::string container_in(std::string_view name, std::string_view parent) {
  if (name.find("conmon") != std::string_view::npos) return "";  // a monitor, which is outside
  if (std::string_view own = name; without(own, "lxc.payload.", "")) return std::string(own);
  if (parent == "lxc") return std::string(name);
  if (std::string_view own = name; without(own, "machine-", ".scope") || without(own, "systemd-nspawn@", ".service"))
    return unescaped_unit(own);
  std::string_view id = name;
  without(id, "", ".scope");
  if (id.size() < kIdDigits) return "";
  const std::string_view before = id.substr(0, id.size() - kIdDigits);
  id.remove_prefix(before.size());
  const bool whole = before.empty() || before.ends_with('-') || before.ends_with(':');
  return whole && is_container_id(id) ? std::string(id) : "";
}

}  // namespace

bool is_container_id(std::string_view text) { return text.size() == kIdDigits && is_hex(text); }

std::string short_id(const std::string &id) { return is_container_id(id) ? id.substr(0, 12) : id; }

CgroupOwner owner_of_cgroup(std::string_view path) {
  CgroupOwner owner;
  std::string_view parent;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    std::string_view name = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (name.empty()) continue;
    // The first unit is the system's; what it has below is its own, but a user's manager has units, too.
    const bool of_user = owner.unit.starts_with("user@");
    if (std::string_view unit = name; is_unit(unit) && (owner.unit.empty() || of_user)) {
      if (unit.starts_with('_')) unit.remove_prefix(1);  // systemd's, where the kernel could have a file of this name
      owner.unit = unit;
    }
    if (std::string container = container_in(name, parent); !container.empty()) owner.container = std::move(container);
    if (std::string pod = pod_in(name); !pod.empty()) owner.pod = std::move(pod);
    parent = name;
  }
  return owner;
}

}  // namespace strata
