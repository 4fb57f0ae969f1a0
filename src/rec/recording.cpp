#include "rec/recording.h"

#include <cstdio>

#include "base/error.h"
#include "base/text.h"

namespace strata {

Recording::Recording(const std::string &file) : file_(file), in_(file) {
  if (!in_) throw system_error("cannot read " + printable(file));
  if (line() != kRecordingMagic) throw Error(printable(file) + " is no recording of this version of strata");
  const std::string program = line(), clocks = line();
  unsigned long long monotonic = 0, realtime = 0;
  if (!program.starts_with("program ") || sscanf(clocks.c_str(), "clocks %llu %llu", &monotonic, &realtime) != 2)
    throw Error(printable(file) + ": the head of the recording is broken");
  program_ = program.substr(8);
  clocks_ = {.monotonic_ns = monotonic, .realtime_ns = realtime};
}

std::string Recording::line() {
  std::string text;
  if (std::getline(in_, text)) ++number_;
  if (in_.eof()) in_.setstate(std::ios::failbit);  // a line without its end was cut
  return in_ ? text : std::string();
}

bool Recording::next(std::span<const Wire *const> wires, WireRecord &record) {
  for (std::string text = line(); in_; text = line()) {
    unsigned long long count = 0;
    int at = 0;
    if (text == "end") {
      whole_ = true;
      return false;
    }
    if (sscanf(text.c_str(), "loss %llu %n", &count, &at) == 1) {
      losses_.push_back({.reason = text.substr(at), .count = count});
      continue;
    }
    try {
      record = from_line(wires, text);
    } catch (const Error &error) {
      throw Error(printable(file_) + ":" + std::to_string(number_) + ": " + error.what());
    }
    return true;
  }
  return false;
}

}  // namespace strata
