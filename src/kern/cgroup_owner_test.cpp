// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/cgroup_owner.h"

#include "base/test.h"

namespace strata {
namespace {

const std::string kId = "4f2c9b7a1d3e5f60718293a4b5c6d7e8f90123456789abcdef0123456789abcd";
const std::string kUid = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";

// "unit|container|pod"
std::string owner(const std::string &path) {
  const CgroupOwner one = owner_of_cgroup(path);
  return one.unit + "|" + one.container + "|" + one.pod;
}

}  // namespace

TEST_CASE("units of systemd") {
  CHECK(owner("/") == "||");
  CHECK(owner("/system.slice") == "||");
  CHECK(owner("/init.scope") == "init.scope||");
  CHECK(owner("/system.slice/nginx.service") == "nginx.service||");
  CHECK(owner("/system.slice/nginx.service/workers") == "nginx.service||");
  CHECK(owner("/system.slice/system-getty.slice/getty@tty1.service") == "getty@tty1.service||");
  CHECK(owner("/system.slice/_cpu.service") == "cpu.service||");
  CHECK(owner("/user.slice/user-1000.slice/session-3.scope") == "session-3.scope||");
  CHECK(owner("/user.slice/user-1000.slice/user@1000.service/init.scope") == "init.scope||");
  CHECK(owner("/user.slice/user-1000.slice/user@1000.service/app.slice/firefox.service") == "firefox.service||");
  CHECK(owner("cgroup 4711") == "||");
}

TEST_CASE("containers of each runtime") {
  CHECK(owner("/system.slice/docker-" + kId + ".scope") == "docker-" + kId + ".scope|" + kId + "|");
  CHECK(owner("/system.slice/docker-" + kId + ".scope/system.slice/sshd.service") ==
        "docker-" + kId + ".scope|" + kId + "|");
  CHECK(owner("/docker/" + kId) == "|" + kId + "|");
  CHECK(owner("/machine.slice/libpod-" + kId + ".scope/container") == "libpod-" + kId + ".scope|" + kId + "|");
  CHECK(owner("/libpod_parent/libpod-" + kId) == "|" + kId + "|");
  CHECK(owner("/machine.slice/libpod-conmon-" + kId + ".scope") == "libpod-conmon-" + kId + ".scope||");
  CHECK(owner("/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" + kId + ".scope/container") ==
        "libpod-" + kId + ".scope|" + kId + "|");
  CHECK(owner("/lxc.payload.web-1/init.scope") == "init.scope|web-1|");
  CHECK(owner("/lxc.monitor.web-1") == "||");
  CHECK(owner("/lxc/web-1") == "|web-1|");
  CHECK(owner("/machine.slice/machine-debian\\x2d12.scope/payload") == "machine-debian\\x2d12.scope|debian-12|");
  CHECK(owner("/machine.slice/systemd-nspawn@web.service/payload") == "systemd-nspawn@web.service|web|");
  CHECK(owner("/system.slice/docker-4f2c.scope") == "docker-4f2c.scope||");
  CHECK(owner("/x" + kId) == "||");
  CHECK(owner("/machine.slice/machine-x\\x2.scope") == "machine-x\\x2.scope|x\\x2|");
}

TEST_CASE("pods of Kubernetes and of podman") {
  const std::string slices =
      "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0a1b2c3d_4e5f_6071_8293_a4b5c6d7e8f9.slice/";
  CHECK(owner(slices + "cri-containerd-" + kId + ".scope") == "cri-containerd-" + kId + ".scope|" + kId + "|" + kUid);
  CHECK(owner(slices + "crio-" + kId + ".scope/container") == "crio-" + kId + ".scope|" + kId + "|" + kUid);
  CHECK(owner(slices + "crio-conmon-" + kId + ".scope") == "crio-conmon-" + kId + ".scope||" + kUid);
  CHECK(owner("/kubepods/burstable/pod" + kUid + "/" + kId) == "|" + kId + "|" + kUid);
  CHECK(owner("/kubepods/besteffort/pod" + kUid) == "||" + kUid);
  CHECK(owner("/kubepods.slice/kubepods-pod" + kId.substr(0, 32) + ".slice") == "||" + kId.substr(0, 32));
  CHECK(owner("/machine.slice/machine-libpod_pod_" + kId + ".slice/libpod-" + kId + ".scope") ==
        "libpod-" + kId + ".scope|" + kId + "|" + kId);
  CHECK(owner("/system.slice/podman.service") == "podman.service||");
  CHECK(owner("/pod" + kUid.substr(1)) == "||");
  // In a node of kind, which is a container of docker's.
  CHECK(owner("/system.slice/docker-" + std::string(64, 'a') + ".scope" + slices + "cri-containerd-" + kId +
              ".scope") == "docker-" + std::string(64, 'a') + ".scope|" + kId + "|" + kUid);
}

TEST_CASE("an id is shown short, a name whole") {
  CHECK(short_id(kId) == "4f2c9b7a1d3e");
  CHECK(short_id("debian-12") == "debian-12");
}

}  // namespace strata
