// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Names of containers and pods, from what their runtimes keep below /var: docker, podman and cri-o, and the logs of
// Kubernetes, whose file names have those of pod and container. The files are others': a file, a directory and a name
// that are longer than expected are left out, and what is no name leaves the id.
//
// Rejected: the sockets of the runtimes (a protocol each, and a process of root's to talk to).
#pragma once

#include <map>
#include <string>

namespace strata {

class ContainerNames {
 public:
  explicit ContainerNames(std::string root = "") : root_(std::move(root)) {}
  // By its id, of 64 hexadecimal digits; "" if it is not known. What is new is looked for once.
  const std::string &container(const std::string &id);
  const std::string &pod(const std::string &uid);  // "default/web-1": with its namespace

 private:
  void look();
  void look_at_docker(const std::string &id);
  void look_at_storage();
  void look_at_logs();

  std::string root_;  // for a test
  std::map<std::string, std::string> containers_, pods_;
};

}  // namespace strata
