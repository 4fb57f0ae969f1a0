#include "subsys/user_functions.h"

#include <dirent.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <memory>
#include <set>

#include "base/error.h"
#include "base/file_id.h"
#include "base/nearest.h"
#include "base/pattern.h"
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

class Files {
 public:
  void add(Fd file, const std::string &path) {
    if (file && known_.insert(file_id(file.get())).second) files_.push_back({.file = std::move(file), .path = path});
  }
  std::vector<UserFile> take() { return std::move(files_); }

 private:
  std::set<FileId> known_;
  std::vector<UserFile> files_;
};

void add_mapped(const Session &session, const std::string &name, Files &files) {
  for (const uint32_t tgid : processes_at_start(session))
    for (const MappedFile &mapped : executable_mappings(tgid))
      if (is_library_called(mapped.path.substr(mapped.path.rfind('/') + 1), name))
        files.add(open_mapped(tgid, mapped), mapped.path);
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

bool is_called(const std::string &one, const std::string &name) {
  return is_pattern(name) ? pattern_matches(name, one) : one == name;
}

std::vector<ElfFile::NamedFunction> matching(std::vector<ElfFile::NamedFunction> all, const std::string &name) {
  std::erase_if(all, [&](const auto &one) { return !is_called(one.name, name); });
  std::ranges::stable_sort(all, {}, &ElfFile::NamedFunction::offset);
  const auto doubles =
      std::unique(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.offset == b.offset; });
  all.erase(doubles, all.end());
  return all;
}

[[noreturn]] void refuse(const std::string &file, const std::string &name, bool stripped,
                         const std::vector<std::string> &known) {
  const std::vector<std::string_view> words(known.begin(), known.end());
  throw Error(printable(file) + " has no function '" + printable(name) + "'" + meant(name, words) +
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
  Files files;
  if (name.find('/') != std::string::npos) {
    Fd file = open_regular(name);
    if (!file && errno != ENOEXEC) throw system_error("cannot open " + printable(name));
    files.add(std::move(file), name);
    return files.take();
  }
  add_mapped(session, name, files);
  if (!session.values().given("pid")) add_usual(name, files);
  std::vector<UserFile> found = files.take();
  std::string path;
  if (found.empty() && find_program(name, path) == 0) {
    files.add(open_regular(path), path);
    found = files.take();
  }
  if (found.empty())
    throw Error("no library or program is called '" + printable(name) + "'" +
                (session.values().given("pid") ? ", of those that these processes have" : "") +
                "; give its path, as u:/usr/lib/NAME.so:FUNCTION");
  return found;
}

std::vector<UsdtProbes> find_usdt_probes(const Session &session, const std::string &file, const std::string &provider,
                                         const std::string &name) {
  std::vector<UsdtProbes> found;
  std::vector<std::string> known;
  for (UserFile &one : find_user_files(session, file)) {
    const ElfFile elf(one.file.get());
    if (!elf.valid()) continue;
    std::vector<UsdtProbe> probes = usdt_probes(elf);
    for (const UsdtProbe &probe : probes) known.push_back(probe.name);
    std::erase_if(probes, [&](const UsdtProbe &probe) {
      return !is_called(probe.name, name) || !(provider.empty() || is_called(probe.provider, provider));
    });
    if (!probes.empty()) found.push_back({.file = std::move(one.file), .path = one.path, .probes = std::move(probes)});
  }
  if (!found.empty()) return found;
  const std::vector<std::string_view> words(known.begin(), known.end());
  throw Error(printable(file) + " has no static probe '" + printable(name) + "'" + meant(name, words) +
              (known.empty() ? "; it was built without any" : ""));
}

std::vector<UserFunctions> find_user_functions(const Session &session, const std::string &file,
                                               const std::string &name) {
  std::vector<UserFunctions> found;
  std::vector<std::string> known;
  bool is_code = false, stripped = false;
  for (UserFile &one : find_user_files(session, file)) {
    const ElfFile elf(one.file.get());
    if (!elf.valid()) continue;
    is_code = true;
    ElfFile::NamedFunctions all = elf.functions();
    stripped |= elf.section(".symtab").bytes.empty();
    for (const auto &function : all.found) known.push_back(function.name);
    auto functions = matching(std::move(all.found), name);
    if (functions.empty()) continue;
    found.push_back({.file = std::move(one.file), .path = one.path, .functions = std::move(functions)});
  }
  if (!is_code) throw Error("not a library or program that runs on this machine: " + printable(file));
  if (found.empty()) refuse(file, name, stripped, known);
  return found;
}

}  // namespace strata
