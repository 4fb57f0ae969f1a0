// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/mapped.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <climits>
#include <cstdio>
#include <memory>

#include "base/lines.h"

namespace strata {
namespace {

std::string proc_path(uint32_t tgid, std::string_view rest) {
  return "/proc/" + std::to_string(tgid) + std::string(rest);
}

Fd open_place(const std::string &path, int flags = 0) { return Fd(open(path.c_str(), O_PATH | O_CLOEXEC | flags)); }

std::string link_target(const std::string &link) {
  char path[PATH_MAX];
  const ssize_t bytes = readlink(link.c_str(), path, sizeof(path));
  return bytes > 0 ? std::string(path, static_cast<size_t>(bytes)) : "";
}

// A place is of O_PATH: what lies there was not opened yet.
Fd open_if_regular(const Fd &place) {
  struct stat status = {};
  if (!place || fstat(place.get(), &status) != 0) return Fd();
  if (!S_ISREG(status.st_mode)) {
    errno = ENOEXEC;
    return Fd();
  }
  return Fd(open(("/proc/self/fd/" + std::to_string(place.get())).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

// "7f0000000000-7f0000001000 r-xp 00026000 fe:00 1234    /usr/lib/libc.so.6 (deleted)"
bool parse_mapping(std::string_view line, MappedFile &file) {
  constexpr std::string_view kDeleted = " (deleted)";
  const size_t space = line.find(' '), path = line.find('/');
  if (space == std::string_view::npos || path == std::string_view::npos) return false;
  if (line.size() < space + 4 || line[space + 3] != 'x') return false;
  file.addresses = line.substr(0, space);
  file.path = line.substr(path);
  if (file.path.ends_with(kDeleted)) file.path.resize(file.path.size() - kDeleted.size());
  return true;
}

}  // namespace

std::vector<MappedFile> executable_mappings(Lines &maps) {
  std::vector<MappedFile> files;
  MappedFile file;
  for (std::string line; maps.next(line);) {
    if (!parse_mapping(line, file)) continue;
    const bool known = std::any_of(files.begin(), files.end(), [&](const auto &one) { return one.path == file.path; });
    if (!known) files.push_back(file);
  }
  return files;
}

std::vector<MappedFile> executable_mappings(uint32_t tgid) {
  Lines maps(proc_path(tgid, "/maps"));
  return executable_mappings(maps);
}

// "7f0000000000-7f0000001000 r-xp 00026000 fe:00 1234    /usr/lib/libc.so.6 (deleted)"
std::vector<CodeMapping> code_mappings(Lines &maps) {
  std::vector<CodeMapping> all;
  for (std::string line; maps.next(line);) {
    CodeMapping one;
    char executable = 0;
    int file_at = 0, path_at = 0;
    if (sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %" SCNx64 " %n%*s %*s %n", &one.from, &one.to,
               &executable, &one.offset, &file_at, &path_at) != 4)
      continue;
    if (executable != 'x' || one.from >= one.to || path_at == 0) continue;
    const std::string_view path = std::string_view(line).substr(static_cast<size_t>(path_at));
    if (path.starts_with('/'))
      one.file = line.substr(static_cast<size_t>(file_at));
    else if (path == "[vdso]" && one.from > UINT32_MAX)  // that of 32-bit programs is another one
      one.file = path;
    if (all.empty() || all.back().to <= one.from) all.push_back(one);
  }
  return all;
}

std::vector<CodeMapping> code_mappings(uint32_t tgid) {
  Lines maps(proc_path(tgid, "/maps"));
  return code_mappings(maps);
}

MappedFile CodeMapping::place() const {
  constexpr std::string_view kDeleted = " (deleted)";
  char addresses[2 * 17 + 1];
  snprintf(addresses, sizeof(addresses), "%" PRIx64 "-%" PRIx64, from, to);
  const size_t path = file.find('/');
  MappedFile place = {.addresses = addresses, .path = path == std::string::npos ? "" : file.substr(path)};
  if (place.path.ends_with(kDeleted)) place.path.resize(place.path.size() - kDeleted.size());
  return place;
}

FileId CodeMapping::id() const {
  unsigned major = 0, minor = 0;
  FileId id;
  if (sscanf(file.c_str(), "%x:%x %" SCNu64, &major, &minor, &id.ino) != 3) return {};
  id.dev = major << 20 | minor;
  return id;
}

Fd copy_of_vdso() {
  for (const CodeMapping &one : code_mappings(static_cast<uint32_t>(getpid()))) {
    if (one.file != "[vdso]") continue;
    const size_t bytes = one.to - one.from;
    Fd copy(memfd_create("vdso", MFD_CLOEXEC));
    const ssize_t put = copy ? pwrite(copy.get(), reinterpret_cast<const void *>(one.from), bytes, 0) : -1;
    return put == static_cast<ssize_t>(bytes) ? std::move(copy) : Fd();
  }
  return Fd();
}

Fd open_regular(const std::string &path) { return open_if_regular(open_place(path)); }

// map_files leads to the file itself, also to one that was deleted or lies in another mount namespace.
Fd open_mapped(uint32_t tgid, const MappedFile &file) {
  Fd mapped = open_regular(proc_path(tgid, "/map_files/" + file.addresses));
  return mapped ? std::move(mapped) : open_below(open_root(tgid), path_below_root(tgid, file.path));
}

Fd open_program(uint32_t tgid) { return open_regular(proc_path(tgid, "/exe")); }

std::string program_path(uint32_t tgid) { return link_target(proc_path(tgid, "/exe")); }

std::string path_below_root(uint32_t tgid, const std::string &path) {
  const std::string root = link_target(proc_path(tgid, "/root"));
  return root.size() > 1 && path.starts_with(root + "/") ? path.substr(root.size()) : path;
}

Fd open_root(uint32_t tgid) { return open_place(proc_path(tgid, "/root"), O_DIRECTORY); }

Fd open_below(const Fd &root, const std::string &path) {
  open_how how = {};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  return open_if_regular(Fd(static_cast<int>(syscall(SYS_openat2, root.get(), path.c_str(), &how, sizeof(how)))));
}

std::vector<uint32_t> all_processes() {
  std::vector<uint32_t> found;
  const std::unique_ptr<DIR, int (*)(DIR *)> proc(opendir("/proc"), closedir);
  while (const dirent *entry = proc ? readdir(proc.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    uint32_t tgid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), tgid);
    if (error == std::errc() && end == name.data() + name.size()) found.push_back(tgid);
  }
  return found;
}

}  // namespace strata
