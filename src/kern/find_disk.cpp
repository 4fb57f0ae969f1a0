// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/find_disk.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/lines.h"
#include "base/text.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

// "259:2" of a file `dev`; "" if there is none.
std::string device_in(const std::string &folder) { return first_line(folder + "/dev"); }

uint32_t kernel_dev(const std::string &text) {
  const size_t colon = text.find(':');
  return static_cast<uint32_t>(std::stoul(text) << 20 | std::stoul(text.substr(colon + 1)));
}

std::string device_of_path(const std::string &path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw system_error("no such disk: " + printable(path));
  if (!S_ISBLK(status.st_mode)) throw Error("not a block device: " + printable(path));
  return std::to_string(major(status.st_rdev)) + ":" + std::to_string(minor(status.st_rdev));
}

std::string device_of_name(const std::string &name, const std::string &sysfs) {
  std::string device = name.empty() || name[0] == '.' ? "" : device_in(sysfs + "/class/block/" + name);
  if (device.empty()) throw Error("no such disk: '" + printable(name) + "' (try: lsblk)");
  return device;
}

std::vector<std::string> names_in(const std::string &folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

FoundDisk find_disk(const std::string &name, const std::string &sysfs) {
  const bool is_path = name.find('/') != std::string::npos;
  std::string folder = sysfs + "/dev/block/" + (is_path ? device_of_path(name) : device_of_name(name, sysfs));
  FoundDisk disk;
  if (fs::exists(folder + "/partition")) {
    disk.begin = number_in<uint64_t>(folder + "/start").value_or(0);
    disk.end = disk.begin + number_in<uint64_t>(folder + "/size").value_or(0);
    folder = fs::canonical(folder).parent_path();
  }
  disk.dev = kernel_dev(device_in(folder));
  disk.has_requests = fs::exists(folder + "/mq");
  disk.below = names_in(folder + "/slaves");
  return disk;
}

FoundDisk find_disk_with_requests(const std::string &name, const std::string &sysfs) {
  FoundDisk disk = find_disk(name, sysfs);
  if (disk.has_requests) return disk;
  const std::string below = comma_list(disk.below);
  throw Error("the I/O of " + printable(name) + " does not become requests" +
              (below.empty() ? " (it is a device in memory, or made of nothing)"
                             : ", but goes on to other disks (try: " + printable(below) + ")"));
}

}  // namespace strata
