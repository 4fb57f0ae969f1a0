// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a run puts out, one item after the other: its head, any number of records, rows, tables, samples and
// distributions, a judgement, the losses, a summary if there is one, the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "base/end_reason.h"
#include "model/distribution.h"
#include "model/field.h"
#include "model/judgement.h"
#include "model/loss.h"
#include "model/printed.h"
#include "model/record.h"
#include "model/sample.h"
#include "model/stack_tree.h"
#include "model/table.h"
#include "rec/recording.h"

namespace strata {

// How much of a run is recorded.
struct RecordBounds {
  uint64_t last_ns = 0;     // kept in memory, of the last so long, until it is to be written (Kept); 0: all is written
  uint64_t most_bytes = 0;  // of what is kept, and of the files; 0: as many as there are
  bool at_end = false;      // what is kept is also written when the run ends
};

struct RunInfo {
  std::string_view tool;
  RecordingHead head;
  bool replay = false;
  std::vector<const RecordType *> records;  // that may come
  Schema columns;                           // of the rows, empty if there are none
  std::vector<size_t> shown;                // indices of the columns that text and csv show, in this order
  std::vector<size_t> data;                 // those of json and sql, by --columns; empty: all
  bool tables = false;                      // the rows come as tables, one for each interval
  bool lines = false;                       // the same, and each has one row
  bool refreshed = false;                   // on a terminal, of which each table may take all
  bool distributions = false;               // there are no rows
  // Of the rows of tables and lines: columns that add up over rows and intervals, also if they are not shown; and what
  // is shown and may tell the rows apart.
  std::vector<size_t> counters, labels;
  uint64_t sample_ns = 0;           // of a CPU's time that a sample stands for; 0: not known
  RecordBounds bounds = {};         // of a recording
  std::string_view procedure = {};  // of samples: "write"
};

struct Undecoded {  // a record as it came, for recordings
  const RecordType &type;
  const void *bytes;
  size_t size;
};

struct DecodedRow {
  Schema columns;
  const Row &row;
};

struct Event {  // a row that is not made yet
  Schema columns;
  const RecordView &record;
};

struct Interval {  // [from, to) ended: all its distributions, perhaps none, have come
  uint64_t from_ns;
  uint64_t to_ns;
  uint64_t left_out = 0;  // of the distributions, by --rows
};

struct Kept {  // what a recording keeps is to be written now
  std::string_view why;
};

struct LossesUntilNow {  // since the run began, after an interval
  std::span<const Loss> of;
};

struct Losses {  // once, also when nothing was lost
  std::span<const Loss> of;
};

struct End {
  EndReason reason;
};

struct Failed {};  // instead of the losses and the end: an error ended the run

// References last as long as the call that they are an argument of; those of a comparison up to the end.
using Item = std::variant<std::reference_wrapper<const RunInfo>, Undecoded, DecodedRow, Event,
                          std::reference_wrapper<const Table>, std::reference_wrapper<const Sample>,
                          std::reference_wrapper<const Distribution>, std::reference_wrapper<const StackComparison>,
                          std::reference_wrapper<const Printed>, std::reference_wrapper<const Judgement>, Interval,
                          Kept, LossesUntilNow, Losses, std::reference_wrapper<const Summary>, End, Failed>;

}  // namespace strata
