// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/types_file.h"

#include <fcntl.h>
#include <linux/btf.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "btf/kernel_types.h"
#include "cli/values.h"
#include "kern/errno.h"
#include "sym/elf.h"

namespace strata {
namespace {

constexpr const char *kNotes = "/sys/kernel/notes";

std::string &chosen() {
  static std::string path;
  return path;
}

// Where libbpf looks, too: what stands before and after the kernel's release.
std::vector<std::string> usual_places() {
  utsname names = {};
  uname(&names);
  const std::string release = names.release;
  std::vector<std::string> places;
  for (const auto &[before, after] : {std::pair("/boot/vmlinux-", ""),
                                      {"/lib/modules/", "/vmlinux"},
                                      {"/lib/modules/", "/build/vmlinux"},
                                      {"/usr/lib/modules/", "/kernel/vmlinux"},
                                      {"/usr/lib/debug/boot/vmlinux-", ""},
                                      {"/usr/lib/debug/boot/vmlinux-", ".debug"},
                                      {"/usr/lib/debug/lib/modules/", "/vmlinux"}})
    places.push_back(before + release + after);
  return places;
}

// The build id and what else a kernel says of itself; it stands in its vmlinux as it does in /sys.
std::vector<std::byte> kernel_identity() {
  std::vector<std::byte> identity(1 << 16);
  const Fd file(open(kNotes, O_RDONLY | O_CLOEXEC));
  const ssize_t n = file ? read(file.get(), identity.data(), identity.size()) : 0;
  identity.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return identity;
}

bool is_another_kernel(const ElfFile &vmlinux) {
  const std::vector<std::byte> identity = vmlinux.section(".notes").bytes, own = kernel_identity();
  return !identity.empty() && !own.empty() && identity != own;
}

// Where BTF begins in a file; nullopt: it has none.
std::optional<uint64_t> types_in(const Fd &file) {
  btf_header header = {};
  if (pread(file.get(), &header, sizeof(header), 0) == sizeof(header) && header.magic == BTF_MAGIC) return 0;
  const ElfFile::Section section = ElfFile(file.get()).section(".BTF");
  return section.bytes.empty() ? std::nullopt : std::optional(section.offset);
}

// Empty, or why the file is not taken.
std::string take(const std::string &path) {
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (!file || fstat(file.get(), &status) != 0) return errno_name(errno);
  if (!S_ISREG(status.st_mode)) return "it is no file";
  const std::optional<uint64_t> begins_at = types_in(file);
  if (begins_at && is_another_kernel(ElfFile(file.get())))
    return "it is another kernel's, as its notes are not those of " + std::string(kNotes);
  if (!begins_at || !read_kernel_types_from(path, *begins_at))
    return "it holds no BTF, neither by itself nor as a section .BTF (pahole -J vmlinux adds that, where it has debug "
           "information)";
  chosen() = path;
  return "";
}

}  // namespace

void choose_kernel_types(const Values &values) {
  const char *variable = getenv("STRATA_BTF");
  if (values.given("btf") || (variable != nullptr && *variable != '\0')) {
    const std::string named = values.given("btf") ? values.text("btf") : variable;
    const std::string why_not = take(named);
    if (!why_not.empty()) throw Error("cannot take the kernel's types from " + printable(named) + ": " + why_not);
    return;
  }
  if (access("/sys/kernel/btf/vmlinux", F_OK) == 0) return;
  for (const std::string &place : usual_places())
    if (take(place).empty()) return;
}

std::string types_file() { return chosen(); }

void write_types(const std::string &path, const std::string &bytes) {
  const Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file) throw system_error("cannot write " + printable(path));
  write_all(file, bytes, printable(path));
}

}  // namespace strata
