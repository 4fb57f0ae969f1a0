// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/source_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/text.h"
#include "sym/confined.h"

namespace strata {
namespace {

constexpr size_t kMostText = 16384, kMostFrames = 32, kMostName = 1024;  // of an answer

class Dwarfs {
 public:
  Dwarfs(int file, int debug_file) {
    for (const int fd : {debug_file, file})
      if (fd >= 0 && dwarf_ == nullptr) dwarf_ = dwarf_begin(fd, DWARF_C_READ);
    if (dwarf_ != nullptr) find_units();
  }

  [[nodiscard]] bool has_any() const { return !ranges_.empty(); }
  std::string answer(uint64_t address);

 private:
  struct Range {
    Dwarf_Addr from, to;
    Dwarf_Die unit;
  };
  void find_units();

  Dwarf *dwarf_ = nullptr;  // ends with the process
  std::vector<Range> ranges_;
};

// Not by .debug_aranges, which clang does not make.
void Dwarfs::find_units() {
  Dwarf_CU *cu = nullptr;
  Dwarf_Die unit;
  uint8_t type = 0;
  while (dwarf_get_units(dwarf_, cu, &cu, nullptr, &type, &unit, nullptr) == 0) {
    if (type != DW_UT_compile) continue;
    Dwarf_Addr base = 0, from = 0, to = 0;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(&unit, at, &base, &from, &to)) > 0;)
      if (from < to) ranges_.push_back({.from = from, .to = to, .unit = unit});
  }
  std::sort(ranges_.begin(), ranges_.end(), [](const Range &a, const Range &b) { return a.from < b.from; });
}

std::string line_text(const char *path, int line) {
  if (path == nullptr || line <= 0) return "";
  const std::string_view file(path);
  return std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(line);
}

std::string call_line(Dwarf_Die &unit, Dwarf_Die &inlined) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0, line = 0;
  Dwarf_Files *files = nullptr;
  size_t count = 0;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &file) != 0 ||
      dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &line) != 0 ||
      dwarf_getsrcfiles(&unit, &files, &count) != 0 || file >= count || line > INT32_MAX)
    return "";
  return line_text(dwarf_filesrc(files, file, nullptr, nullptr), static_cast<int>(line));
}

// Of C++ the name that a symbol would have.
std::string name_of(Dwarf_Die &function) {
  Dwarf_Attribute attribute;
  const char *name = dwarf_formstring(dwarf_attr_integrate(&function, DW_AT_linkage_name, &attribute));
  if (name == nullptr) name = dwarf_diename(&function);
  return name == nullptr ? "[inlined]" : std::string(name).substr(0, kMostName);
}

// A frame is a line, "NAME\tLINE"; tabs and line ends of names are theirs no more.
void put_frame(std::string &text, const std::string &name, const std::string &line) {
  text += printable(name) + "\t" + printable(line) + "\n";
}

bool is_inlined(Dwarf_Die *scopes, int count) {
  for (int i = 0; i < count; i++) {
    const int tag = dwarf_tag(&scopes[i]);
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) return tag == DW_TAG_inlined_subroutine;
  }
  return false;
}

// The scopes of an inlined function are those of where it was written; who called it, its place in the tree says, for
// which the whole unit is searched.
std::string Dwarfs::answer(uint64_t address) {
  auto at = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                             [](uint64_t wanted, const Range &one) { return wanted < one.from; });
  if (at == ranges_.begin() || address >= (--at)->to) return "";
  int number = 0;
  Dwarf_Line *const source = dwarf_getsrc_die(&at->unit, address);
  if (source != nullptr) dwarf_lineno(source, &number);
  std::string line = line_text(source == nullptr ? nullptr : dwarf_linesrc(source, nullptr, nullptr), number), text;
  Dwarf_Die *scopes = nullptr, *parents = nullptr;
  const int inner = dwarf_getscopes(&at->unit, address, &scopes);
  const int count = is_inlined(scopes, inner) ? dwarf_getscopes_die(&scopes[0], &parents) : 0;
  for (int i = 0; i < std::min<int>(count, kMostFrames) && text.size() < kMostText / 2; i++) {
    if (dwarf_tag(&parents[i]) != DW_TAG_inlined_subroutine) continue;
    put_frame(text, name_of(parents[i]), line);
    line = call_line(at->unit, parents[i]);
  }
  put_frame(text, "", line);
  free(parents);
  free(scopes);
  return text.substr(0, kMostText);
}

// Until whoever asks is gone.
[[noreturn]] void read_lines(int asker, int file, int debug_file) {
  if (!confine(std::array{asker, file, debug_file})) _exit(1);
  Dwarfs dwarfs(file, debug_file);
  if (!dwarfs.has_any()) _exit(0);
  for (uint64_t address = 0; recv(asker, &address, sizeof(address), 0) == sizeof(address);) {
    const std::string text = dwarfs.answer(address) + '\n';  // an empty packet would be its end
    if (send(asker, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size())) break;
  }
  _exit(0);
}

}  // namespace

void SourceLines::start() {
  int ends[2];
  pid_ = -1;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return;
  reader_ = Fd(ends[0]);
  const Fd other(ends[1]);
  pid_ = fork();
  if (pid_ == 0) read_lines(other.get(), file_, debug_file_);
}

void SourceLines::stop() {
  reader_.reset();
  if (pid_ > 0 && kill(pid_, SIGKILL) == 0)
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  pid_ = -1;
}

std::vector<SourceLines::Frame> SourceLines::at(uint64_t address) {
  std::vector<Frame> frames;
  if (pid_ == 0) start();
  if (!reader_) return frames;
  char text[kMostText + 1];
  pollfd answer = {.fd = reader_.get(), .events = POLLIN, .revents = 0};
  ssize_t bytes = send(reader_.get(), &address, sizeof(address), MSG_NOSIGNAL);
  if (bytes > 0) bytes = poll(&answer, 1, kConfinedPatienceMs) == 1 ? recv(reader_.get(), text, sizeof(text), 0) : 0;
  if (bytes <= 0) {
    stop();
    return frames;
  }
  for (const std::string_view line : split({text, static_cast<size_t>(bytes)}, '\n')) {
    const size_t tab = line.find('\t');
    if (tab != std::string_view::npos)
      frames.push_back({.function = std::string(line.substr(0, tab)), .line = std::string(line.substr(tab + 1))});
  }
  return frames;
}

}  // namespace strata
