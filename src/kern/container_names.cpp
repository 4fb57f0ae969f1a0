// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/container_names.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "kern/cgroup_owner.h"

namespace strata {
namespace {

using Json = nlohmann::json;

constexpr size_t kFileBytes = 8 << 20;
constexpr size_t kMostEntries = 20'000;  // of a directory
constexpr size_t kNameBytes = 253;       // of a pod, and more than a container's

// Of a regular file; discarded if it is none, too long, or no JSON.
Json json_of(const std::string &path) {
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat status = {};
  const Json none = Json(Json::value_t::discarded);
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return none;
  if (static_cast<size_t>(status.st_size) > kFileBytes) return none;
  std::string text(static_cast<size_t>(status.st_size), '\0');
  size_t done = 0;
  for (ssize_t got = 1; got > 0 && done < text.size(); done += static_cast<size_t>(got)) {
    got = read(file.get(), text.data() + done, text.size() - done);
    if (got < 0) return none;
  }
  text.resize(done);
  return Json::parse(text, nullptr, false);
}

// "" if there is no such text.
std::string text_at(const Json &object, const char *key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::string> entries_of(const std::string &directory) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR *)> open(opendir(directory.c_str()), closedir);
  while (const dirent *one = open && names.size() < kMostEntries ? readdir(open.get()) : nullptr)
    names.emplace_back(one->d_name);
  return names;
}

void keep(std::map<std::string, std::string> &names, const std::string &id, std::string name) {
  if (!name.empty() && name.size() <= kNameBytes) names[id] = std::move(name);
}

// What was looked for, whether it was found or not.
const std::string &known(std::map<std::string, std::string> &names, const std::string &id) { return names[id]; }

}  // namespace

const std::string &ContainerNames::container(const std::string &id) {
  if (!is_container_id(id)) return known(containers_, "");  // it may not become a path
  if (!containers_.contains(id)) {
    look();
    look_at_docker(id);
  }
  return known(containers_, id);
}

const std::string &ContainerNames::pod(const std::string &uid) {
  if (!pods_.contains(uid)) look();
  return known(pods_, uid);
}

void ContainerNames::look() {
  look_at_storage();
  look_at_logs();
}

void ContainerNames::look_at_docker(const std::string &id) {
  std::string name = text_at(json_of(root_ + "/var/lib/docker/containers/" + id + "/config.v2.json"), "Name");
  if (name.starts_with('/')) name.erase(0, 1);
  keep(containers_, id, std::move(name));
}

// containers/storage, of podman and cri-o: [{"id": ID, "names": ["web"]}, ...]
void ContainerNames::look_at_storage() {
  const Json all = json_of(root_ + "/var/lib/containers/storage/overlay-containers/containers.json");
  if (!all.is_array()) return;
  for (const Json &one : all) {
    const std::string id = text_at(one, "id");
    const auto names = one.is_object() ? one.find("names") : one.end();
    if (!is_container_id(id) || names == one.end() || !names->is_array() || names->empty()) continue;
    if (names->front().is_string()) keep(containers_, id, names->front().get<std::string>());
  }
}

// /var/log/containers/POD_NAMESPACE_CONTAINER-ID.log and /var/log/pods/NAMESPACE_POD_UID; names have no _.
void ContainerNames::look_at_logs() {
  constexpr std::string_view kEnd = ".log";
  constexpr size_t kBehind = 1 + 64 + kEnd.size();  // the name
  for (const std::string &file : entries_of(root_ + "/var/log/containers")) {
    const size_t name = file.rfind('_');
    if (!file.ends_with(kEnd) || name == std::string::npos || file.size() < name + 1 + kBehind) continue;
    const size_t dash = file.size() - kBehind;
    if (const std::string id = file.substr(dash + 1, 64); is_container_id(id))
      keep(containers_, id, file.substr(name + 1, dash - name - 1));
  }
  for (const std::string &directory : entries_of(root_ + "/var/log/pods")) {
    const size_t pod = directory.find('_'), uid = directory.rfind('_');
    if (pod == uid) continue;
    keep(pods_, directory.substr(uid + 1), directory.substr(0, pod) + "/" + directory.substr(pod + 1, uid - pod - 1));
  }
}

}  // namespace strata
