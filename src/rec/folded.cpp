// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "rec/folded.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/text.h"

namespace strata {
namespace {

constexpr size_t kMostLine = 1 << 20;  // bytes
constexpr size_t kMostFrames = 2048;   // of a stack: the kernel's and the users' programs are deeper than no profiler's
constexpr size_t kMostPlaces = 8 << 20;  // in the tree, of which each takes some 100 bytes
constexpr uint64_t kMostWeight = 1ULL << 62;

class Reader {
 public:
  Reader(const std::string &file, StackTree &tree, size_t run) : file_(file), tree_(tree), run_(run) {}

  void read_all();

 private:
  void line(std::string_view line);
  [[noreturn]] void fail(const std::string &why) const {
    throw Error(printable(file_) + ", line " + std::to_string(number_) + ": " + why);
  }

  const std::string &file_;
  StackTree &tree_;
  size_t run_;
  uint64_t number_ = 0;
};

void Reader::line(std::string_view line) {
  number_++;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return;
  const size_t space = line.rfind(' ');
  const std::string_view digits = space == std::string_view::npos ? "" : line.substr(space + 1);
  uint64_t weight = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), weight);
  if (error != std::errc() || end != digits.data() + digits.size())
    fail("no number at its end; folded stacks are lines of \"outermost;...;innermost COUNT\"");
  if (weight > kMostWeight - tree_.total()[run_]) fail("the counts are too large to be added up");
  std::vector<std::string> names;
  for (const std::string_view name : split(line.substr(0, space), ';')) names.push_back(printable(name));
  if (names.size() > kMostFrames) fail("a stack of more than " + std::to_string(kMostFrames) + " functions");
  tree_.add(std::vector<std::string_view>(names.begin(), names.end()), weight, run_);
  if (tree_.size() > kMostPlaces) fail("more than " + std::to_string(kMostPlaces) + " different places in stacks");
}

void Reader::read_all() {
  const Fd in(open(file_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in) throw system_error("cannot read " + printable(file_));
  std::string buffer;
  char part[64 * 1024];
  ssize_t got = 0;
  while ((got = ::read(in.get(), part, sizeof(part))) != 0) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw system_error("cannot read " + printable(file_));
    buffer.append(part, static_cast<size_t>(got));
    size_t begin = 0;
    for (size_t end; (end = buffer.find('\n', begin)) != std::string::npos; begin = end + 1)
      line(std::string_view(buffer).substr(begin, end - begin));
    buffer.erase(0, begin);
    if (buffer.size() > kMostLine) {
      number_++;
      fail("it has more than " + std::to_string(kMostLine) + " bytes");
    }
  }
  if (!buffer.empty()) line(buffer);
}

}  // namespace

void read_folded(const std::string &file, StackTree &tree, size_t run) { Reader(file, tree, run).read_all(); }

}  // namespace strata
