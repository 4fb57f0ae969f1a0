// A recording: the wire records of a run before they were decoded, and what a replay needs besides. Lines of text:
//
//   strata-recording 1
//   program strata follow
//   clocks 812000000 1700000000000000000        (CLOCK_MONOTONIC and CLOCK_REALTIME of one moment, ns)
//   hop ts_ns=812 ...                           (records, in the order in which they came)
//   loss 3 ring buffer full
//   end
//
// Without its last line the recording was cut short, and a replay says so.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/loss.h"
#include "rec/wire.h"

namespace strata {

inline constexpr std::string_view kRecordingMagic = "strata-recording 1";

class Recording {
 public:
  explicit Recording(const std::string &file);  // throws Error: cannot be read, not a recording, another version

  [[nodiscard]] const std::string &file() const { return file_; }
  [[nodiscard]] const std::string &program() const { return program_; }  // as it was called: "strata follow"
  [[nodiscard]] const Clocks &clocks() const { return clocks_; }

  bool next(std::span<const Wire *const> wires, WireRecord &record);  // false at the end; throws Error with the line
  [[nodiscard]] const std::vector<Loss> &losses() const { return losses_; }  // after the last record
  [[nodiscard]] bool whole() const { return whole_; }                        // after the last record

 private:
  std::string line();  // empty, and in_ fails, at the end of the file
  std::string file_;
  std::ifstream in_;
  uint64_t number_ = 0;
  std::string program_;
  Clocks clocks_;
  std::vector<Loss> losses_;
  bool whole_ = false;
};

}  // namespace strata
