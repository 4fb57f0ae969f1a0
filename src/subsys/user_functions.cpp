// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/user_functions.h"

#include <dirent.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <functional>
#include <memory>
#include <set>

#include "base/error.h"
#include "base/file_id.h"
#include "base/nearest.h"
#include "base/program.h"
#include "base/text.h"
#include "bpf/probe_name.h"
#include "cli/values.h"
#include "run/session.h"
#include "subsys/process_filter.h"
#include "sym/mapped.h"

namespace strata {
namespace {

constexpr const char *kDirectories[] = {"/lib/x86_64-linux-gnu",
                                        "/usr/lib/x86_64-linux-gnu",
                                        "/lib/aarch64-linux-gnu",
                                        "/usr/lib/aarch64-linux-gnu",
                                        "/lib64",
                                        "/usr/lib64",
                                        "/lib",
                                        "/usr/lib",
                                        "/usr/local/lib"};

using Take = std::function<void(UserFile)>;

// Hands over each file once. There may be more than the process can have open.
class Files {
 public:
  explicit Files(const Take &take) : take_(take) {}
  void add(Fd file, const std::string &path) {
    if (file && known_.insert(file_id(file.get())).second) take_({.file = std::move(file), .path = path});
  }
  [[nodiscard]] bool empty() const { return known_.empty(); }

 private:
  const Take &take_;
  std::set<FileId> known_;
};

bool is_all(std::string_view name) { return name == "*"; }

void add_mapped(const Session &session, const std::string &name, Files &files) {
  for (const uint32_t tgid : processes_at_start(session))
    for (const MappedFile &mapped : executable_mappings(tgid))
      if (is_all(name) || is_library_called(mapped.path.substr(mapped.path.rfind('/') + 1), name))
        files.add(open_mapped(tgid, mapped), mapped.path);
}

void add_program(const std::string &name, Files &files) {
  std::string path;
  if (find_program(name, path) == 0) files.add(open_regular(path), path);
}

// Each part of a path is a pattern by itself, as a shell has it.
void add_paths(const std::string &base, std::string_view pattern, Files &files) {
  const size_t slash = pattern.find('/');
  const std::string part(pattern.substr(0, slash));
  std::vector<std::string> names = {part};
  if (is_pattern(part)) {
    names.clear();
    const std::unique_ptr<DIR, int (*)(DIR *)> entries(opendir(base.empty() ? "." : base.c_str()), closedir);
    while (const dirent *entry = entries ? readdir(entries.get()) : nullptr)
      if (fnmatch(part.c_str(), entry->d_name, FNM_PERIOD) == 0) names.emplace_back(entry->d_name);
    std::ranges::sort(names);
  }
  for (const std::string &name : names) {
    if (slash == std::string_view::npos)
      files.add(open_regular(base + name), base + name);
    else
      add_paths(base + name + "/", pattern.substr(slash + 1), files);
  }
}

void add_usual(const std::string &name, Files &files) {
  for (const std::string directory : kDirectories) {
    const std::unique_ptr<DIR, int (*)(DIR *)> entries(opendir(directory.c_str()), closedir);
    if (!entries) continue;
    while (const dirent *entry = readdir(entries.get()))
      if (is_library_called(entry->d_name, name))
        files.add(open_regular(directory + "/" + entry->d_name), directory + "/" + entry->d_name);
  }
}

std::vector<ElfFile::NamedFunction> matching(std::vector<ElfFile::NamedFunction> all, const std::string &name) {
  std::erase_if(all, [&](const auto &one) { return !is_called(one.name, name); });
  std::ranges::stable_sort(all, {}, &ElfFile::NamedFunction::offset);
  const auto doubles =
      std::unique(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.offset == b.offset; });
  all.erase(doubles, all.end());
  return all;
}

// Of "*" those of the processes that are looked at; of a COMMAND, which has none before it runs, its program.
void each_user_file(const Session &session, const std::string &name, const Take &take) {
  Files files(take);
  if (name.find('/') != std::string::npos) {
    Fd file = open_regular(name);
    const int err = errno;
    if (!file && is_pattern(name))
      add_paths("", name, files);
    else if (!file && err != ENOEXEC)
      throw system_error("cannot open " + printable(name), err);
    else
      return files.add(std::move(file), name);
  } else {
    add_mapped(session, name, files);
    if (is_all(name) && session.traced_command() != 0) add_program(session.values().command().front(), files);
    if (!is_all(name) && !session.values().given("pid")) add_usual(name, files);
    if (files.empty()) add_program(name, files);
  }
  if (!files.empty()) return;
  if (is_all(name)) throw Error("these processes have no programs or libraries that can be read, or are gone");
  if (is_pattern(name)) throw Error("no program or library is called " + printable(name));
  throw Error("no library or program is called '" + printable(name) + "'" +
              (session.values().given("pid") ? ", of those that these processes have" : "") +
              "; give its path, as u:/usr/lib/NAME.so:FUNCTION");
}

std::string file_that_has(const std::string &name) {
  return is_pattern(name) ? "no file like " + printable(name) + " has the" : printable(name) + " has no";
}

[[noreturn]] void refuse(const std::string &file, const std::string &name, bool stripped,
                         const std::vector<std::string> &known) {
  const std::vector<std::string_view> words(known.begin(), known.end());
  throw Error(file_that_has(file) + " function '" + printable(name) + "'" + meant(name, words) +
              (stripped ? "; it was stripped of all names but those for other files" : ""));
}

}  // namespace

bool is_library_called(std::string_view file, std::string_view name) {
  if (file == name) return file.find(".so") != std::string_view::npos;
  if (name.starts_with("lib")) name.remove_prefix(3);
  if (name == "c" && (file.starts_with("ld-musl-") || file.starts_with("libc.musl-"))) return true;
  if (!file.starts_with("lib") || !file.substr(3).starts_with(name)) return false;
  const std::string_view rest = file.substr(3 + name.size());
  if (rest == ".so" || rest.starts_with(".so.")) return true;
  return rest.size() > 1 && rest[0] == '-' && std::isdigit(static_cast<unsigned char>(rest[1])) != 0 &&
         rest.find(".so") != std::string_view::npos;
}

std::vector<UserFile> find_user_files(const Session &session, const std::string &name) {
  std::vector<UserFile> found;
  each_user_file(session, name, [&](UserFile one) { found.push_back(std::move(one)); });
  return found;
}

namespace {

// `known`: the names of all that such files have.
std::vector<UsdtProbes> look_for_usdt_probes(const Session &session, const std::string &file,
                                             const std::string &provider, const std::string &name,
                                             std::vector<std::string> &known) {
  std::vector<UsdtProbes> found;
  each_user_file(session, file, [&](UserFile one) {
    const ElfFile elf(one.file.get());
    if (!elf.valid()) return;
    std::vector<UsdtProbe> probes = usdt_probes(elf);
    std::erase_if(probes,
                  [&](const UsdtProbe &probe) { return !provider.empty() && !is_called(probe.provider, provider); });
    for (const UsdtProbe &probe : probes) known.push_back(probe.name);
    std::erase_if(probes, [&](const UsdtProbe &probe) { return !is_called(probe.name, name); });
    if (!probes.empty()) found.push_back({.file = std::move(one.file), .path = one.path, .probes = std::move(probes)});
  });
  return found;
}

}  // namespace

std::vector<UsdtProbes> usdt_probes_in(const Session &session, const std::string &file, const std::string &provider,
                                       const std::string &name) {
  std::vector<std::string> known;
  return look_for_usdt_probes(session, file, provider, name, known);
}

std::vector<UsdtProbes> find_usdt_probes(const Session &session, const std::string &file, const std::string &provider,
                                         const std::string &name) {
  std::vector<std::string> known;
  std::vector<UsdtProbes> found = look_for_usdt_probes(session, file, provider, name, known);
  if (!found.empty()) return found;
  const std::vector<std::string_view> words(known.begin(), known.end());
  throw Error(file_that_has(file) + " static probe '" + printable(provider.empty() ? name : provider + ":" + name) +
              "'" + meant(name, words) + (known.empty() && !is_pattern(file) ? "; it was built without any" : ""));
}

std::vector<UserFunctions> find_user_functions(const Session &session, const std::string &file,
                                               const std::string &name) {
  std::vector<UserFunctions> found;
  std::vector<std::string> known;
  bool is_code = false, stripped = false;
  each_user_file(session, file, [&](UserFile one) {
    const ElfFile elf(one.file.get());
    if (!elf.valid()) return;
    is_code = true;
    ElfFile::NamedFunctions all = elf.functions();
    stripped |= elf.section(".symtab").bytes.empty();
    if (!is_pattern(file))
      for (const auto &function : all.found) known.push_back(function.name);
    auto functions = matching(std::move(all.found), name);
    if (!functions.empty())
      found.push_back({.file = std::move(one.file), .path = one.path, .functions = std::move(functions)});
  });
  if (!is_code) throw Error("not a library or program that runs on this machine: " + printable(file));
  if (found.empty()) refuse(file, name, stripped, known);
  return found;
}

}  // namespace strata
