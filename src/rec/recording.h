// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A recording: the records of a run before they were decoded, and what a replay needs besides. Lines of text:
//
//   strata-recording 2
//   program strata tcpretrans
//   strata 0.1.0                                (the version that wrote it)
//   host db1
//   kernel 6.12.48
//   options --flows -D 5432                     (of the run, each escaped)
//   command ./server --port 80                  (that was run, each word escaped; only if there was one)
//   record flow from_ns:u64 comm:text16 ...     (the schema of its records)
//   clocks 812000000 1700000000000000000        (CLOCK_MONOTONIC and CLOCK_REALTIME of one moment, ns: ends the head)
//   flow from_ns=812 ...                        (records, in the order in which they came)
//   loss 3 ring buffer full
//   end
//
// Without its last line the recording was cut short, and a replay says so. Lines of the head, records and fields that a
// reader does not know are skipped. Format 1 had program and clocks alone. All of it may be in gzip (FILE.gz).
//
// Of a run with --max-size the older file ends with `continued` instead, and the newer one, a whole recording by
// itself, may come behind it (cat FILE.1 FILE). With --last, before what was kept of the last so long stands when and
// why it was written, from when on it is, and how many records follow:
//
//   kept 842000000 812000000 3 SIGUSR1
//
// It is text so that golden tests are recordings that a person reads and writes. Rejected: binary frames, with a
// converter for tests. If a tool's rate of events needs frames, they are a second encoding by the same RecordType.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/file_id.h"
#include "base/gzip.h"
#include "model/loss.h"
#include "rec/record_line.h"

namespace strata {

inline constexpr std::string_view kRecordingMagic = "strata-recording 2";

struct RecordingHead {
  std::string program;  // as it was called: "strata follow"
  std::string version;  // of strata; empty in format 1, as what follows but clocks
  std::string host, kernel;
  std::vector<std::string> options;
  bool has_options = false;          // false in format 1: they are not known
  std::vector<std::string> command;  // that was run; empty if none was, or it is not known
  std::vector<std::string> records;  // names of the types that it may have, of one that is read
  Clocks clocks;

  [[nodiscard]] bool declares(const RecordType &type) const {
    return std::ranges::find(records, type.name) != records.end();
  }
};

// What a recording had kept of the time before.
struct KeptSpan {
  uint64_t at_ns = 0, from_ns = 0;  // CLOCK_MONOTONIC
  uint64_t records = 0;
  std::string why;  // "SIGUSR1"
};

// Lines, each with its end.
std::string kept_line(const KeptSpan &span);
std::string head_text(const RecordingHead &head, std::span<const RecordType *const> types);

class Recording {
 public:
  // Of a file, or "-", standard input. Throws Error: cannot be read, not a recording, a format that is not known.
  explicit Recording(const std::string &file);

  [[nodiscard]] const RecordingHead &head() const { return head_; }
  [[nodiscard]] std::optional<FileId> regular_file() const { return regular_file_id(in_.get()); }
  // The first word of the first record that is one of the names; empty if there is none. Nothing is consumed: what was
  // read is kept for next().
  std::string_view first_of(std::span<const std::string_view> names);

  bool next(std::span<const RecordType *const> types, Record &record);  // false at the end; throws Error with the line
  [[nodiscard]] const std::vector<Loss> &losses() const { return losses_; }   // after the last record
  [[nodiscard]] const std::vector<KeptSpan> &kept() const { return spans_; }  // after the last record
  [[nodiscard]] bool whole() const { return whole_; }                         // after the last record
  [[nodiscard]] bool ended() const { return ended_; }                         // by a signal, and not whole
  [[nodiscard]] std::string missing() const;  // after the last record: why there may be less than there was, or nothing
  [[nodiscard]] uint64_t unknown() const { return unknown_; }  // records of other types so far

 private:
  void read_head();
  void skip_head(const std::string &first);  // of the file behind `continued`; throws Error if it is of another run
  bool read_line(std::string &text);         // from the file; false at its end
  bool fill();                               // reads on; false at the end of the file, or when the replay is to end
  bool read_bytes(std::string &to);          // the same, as they stand in the file
  bool line(std::string &text);              // those that were kept come first

  std::string file_;
  Fd in_;
  bool regular_ = false;  // always readable
  std::string buffer_;
  size_t taken_ = 0;  // of the buffer
  std::optional<Gunzip> gunzip_;
  std::string zipped_;    // what it has not taken
  uint64_t last_ns_ = 0;  // a signal came: not after this moment
  bool ended_ = false;
  uint64_t number_ = 0;  // of the line that was taken last
  std::vector<std::string> kept_;
  size_t next_kept_ = 0;
  RecordingHead head_;
  std::vector<Loss> losses_;
  std::vector<KeptSpan> spans_;
  bool whole_ = false;
  uint64_t unknown_ = 0;
};

}  // namespace strata
