// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "rec/recording.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/ending.h"
#include "base/error.h"
#include "base/text.h"

namespace strata {
namespace {

constexpr std::string_view kOldMagic = "strata-recording 1";
constexpr uint64_t kPatienceNs = 1'000'000'000;  // with a pipe's writer
constexpr size_t kReadBytes = 64 * 1024;
constexpr size_t kMostLineBytes = 1 << 20;  // the longest has a stack of 192 names
constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr size_t kMostHeadLines = 1000;
constexpr size_t kMostKept = 100'000;  // lines; the type of a recording is known much earlier

std::vector<std::string> words_of_line(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) words.push_back(unescaped(next_word(line)));
  return words;
}

std::string head_line(std::string_view key, std::string_view value) {
  return std::string(key) + " " + std::string(value) + "\n";
}

std::string head_line(std::string_view key, const std::vector<std::string> &words) {
  std::string line(key);
  for (const std::string &word : words) (line += ' ') += escaped(word);
  return line += '\n';
}

// True of the line that ends a head.
bool take_head_line(const std::string &text, RecordingHead &head) {
  std::string_view rest = text;
  const std::string_view key = next_word(rest);
  if (key == "program") head.program = rest;
  if (key == "strata") head.version = rest;
  if (key == "host") head.host = unescaped(rest);
  if (key == "kernel") head.kernel = unescaped(rest);
  if (key == "options") head.options = words_of_line(rest), head.has_options = true;
  if (key == "command") head.command = words_of_line(rest);
  if (key == "record") head.records.emplace_back(next_word(rest));
  unsigned long long monotonic = 0, realtime = 0;
  if (sscanf(text.c_str(), "clocks %llu %llu", &monotonic, &realtime) != 2) return false;
  head.clocks = {.monotonic_ns = monotonic, .realtime_ns = realtime};
  return true;
}

}  // namespace

std::string kept_line(const KeptSpan &span) {
  return "kept " + std::to_string(span.at_ns) + " " + std::to_string(span.from_ns) + " " +
         std::to_string(span.records) + " " + span.why + "\n";
}

std::string head_text(const RecordingHead &head, std::span<const RecordType *const> types) {
  std::string text(kRecordingMagic);
  text += '\n';
  text += head_line("program", head.program);
  text += head_line("strata", head.version);
  text += head_line("host", escaped(head.host));
  text += head_line("kernel", escaped(head.kernel));
  text += head_line("options", head.options);
  if (!head.command.empty()) text += head_line("command", head.command);
  for (const RecordType *type : types) text += head_line("record", schema_line(*type));
  return text + "clocks " + std::to_string(head.clocks.monotonic_ns) + " " + std::to_string(head.clocks.realtime_ns) +
         "\n";
}

// A FIFO opened without waiting for its writer, which wait_for() does.
Recording::Recording(const std::string &file)
    : file_(file),
      in_(file == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                      : open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  struct stat status {};
  if (!in_ || fstat(in_.get(), &status) != 0) throw system_error("cannot read " + printable(file));
  regular_ = S_ISREG(status.st_mode);
  read_head();
}

void Recording::read_head() {
  std::string text;
  const bool begins = read_line(text);
  if (!ended_ && (!begins || (text != kRecordingMagic && text != kOldMagic)))
    throw Error(printable(file_) + (text.starts_with("strata-recording ")
                                        ? " is of a format that this version of strata does not know"
                                        : " is no recording"));
  while (read_line(text) && number_ < kMostHeadLines) {
    if (take_head_line(text, head_) && !head_.program.empty()) return;
  }
  if (ended_) throw Error("a signal came before the head of " + printable(file_), 128 + ending_signal());
  throw Error(printable(file_) + ": the head of the recording is broken");
}

// Nobody waits here where a signal is not seen. A pipe's writer may end by the same Ctrl-C, and its last lines belong
// to the recording; a file has no such writer.
bool Recording::read_bytes(std::string &to) {
  if (ended_) return false;  // or it would wait once more for each who asks
  bool hurried = ending_begun();
  if (hurried && last_ns_ == 0) last_ns_ = monotonic_ns() + (regular_ ? 0 : kPatienceNs);
  ended_ = (hurried && monotonic_ns() >= last_ns_) || (!regular_ && !wait_for(in_.get(), POLLIN, hurried));
  if (ended_) return false;
  const size_t had = to.size();
  to.resize(had + kReadBytes);
  const ssize_t got = read(in_.get(), to.data() + had, kReadBytes);
  to.resize(had + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  if (got < 0 && errno != EAGAIN && errno != EINTR) throw system_error("cannot read " + printable(file_));
  return got != 0;
}

// A few bytes of gzip may be very many.
bool Recording::fill() {
  buffer_.erase(0, std::exchange(taken_, 0));
  if (buffer_.size() > kMostLineBytes) throw Error(printable(file_) + ": a line is too long");
  if (!gunzip_) {
    if (!read_bytes(buffer_)) return false;
    if (number_ != 0 || !buffer_.starts_with(kGzipMagic)) return true;
    gunzip_.emplace();
    zipped_ = std::exchange(buffer_, {});
  }
  for (const size_t had = buffer_.size(); true;) {
    std::string_view rest = zipped_;
    const bool valid = gunzip_->take(rest, buffer_, kReadBytes);
    zipped_.erase(0, zipped_.size() - rest.size());
    if (!valid) throw Error(printable(file_) + " is broken: it is not all gzip");
    if (buffer_.size() > had) return true;
    if (!read_bytes(zipped_)) return false;
  }
}

// A line without its end was cut.
bool Recording::read_line(std::string &text) {
  size_t searched = taken_;
  size_t end = std::string::npos;
  while ((end = buffer_.find('\n', searched)) == std::string::npos) {
    searched = buffer_.size() - taken_;
    if (!fill()) return false;
  }
  text.assign(buffer_, taken_, end - taken_);
  taken_ = end + 1;
  number_++;
  return true;
}

bool Recording::line(std::string &text) {
  if (next_kept_ == kept_.size()) return read_line(text);
  text = std::move(kept_[next_kept_++]);
  return true;
}

std::string_view Recording::first_of(std::span<const std::string_view> names) {
  std::string text;
  for (size_t i = next_kept_; i < kMostKept; i++) {
    if (i == kept_.size()) {
      if (!read_line(text)) break;
      kept_.push_back(text);
    }
    std::string_view rest = kept_[i];
    const std::string_view word = next_word(rest);
    const auto found = std::find(names.begin(), names.end(), word);
    if (found != names.end()) return *found;
    if (kept_[i] == "end") break;
  }
  return {};
}

void Recording::skip_head(const std::string &first) {
  if (first != kRecordingMagic) throw Error(printable(file_) + ": no recording behind `continued`");
  RecordingHead head;
  for (std::string text; line(text);) {
    if (!take_head_line(text, head)) continue;
    if (head.program == head_.program && head.host == head_.host &&
        head.clocks.monotonic_ns == head_.clocks.monotonic_ns)
      return;
    throw Error(printable(file_) + ": behind `continued` is the recording of another run");
  }
}

std::string Recording::missing() const {
  if (ended_) return "a signal came before the end of the recording";
  if (!spans_.empty()) return "a flight recorder has written this: what came between is missing";
  return whole_ ? "" : "the recording was cut short";
}

bool Recording::next(std::span<const RecordType *const> types, Record &record) {
  for (std::string text; line(text);) {
    unsigned long long count = 0;
    int at = 0;
    if (text == "end") {
      whole_ = true;
      return false;
    }
    if (std::exchange(whole_, text == "continued")) {
      skip_head(text);
      continue;
    }
    if (whole_) continue;
    unsigned long long at_ns = 0, from_ns = 0;
    if (sscanf(text.c_str(), "kept %llu %llu %llu %n", &at_ns, &from_ns, &count, &at) == 3) {
      spans_.push_back(
          {.at_ns = at_ns, .from_ns = from_ns, .records = count, .why = text.substr(static_cast<size_t>(at))});
      continue;
    }
    if (sscanf(text.c_str(), "loss %llu %n", &count, &at) == 1) {
      losses_.push_back({.reason = text.substr(static_cast<size_t>(at)), .count = count});
      continue;
    }
    try {
      if (std::optional<Record> found = from_line(types, text)) {
        record = std::move(*found);
        return true;
      }
    } catch (const Error &error) {
      const size_t behind = kept_.size() - next_kept_;
      throw Error(printable(file_) + ":" + std::to_string(number_ - behind) + ": " + error.what());
    }
    unknown_++;
  }
  return false;
}

}  // namespace strata
