// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The shape of a snoop: each record of the ring buffer becomes a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "rec/record_line.h"
#include "run/view.h"

namespace strata {

class Object;
class Recording;
class Session;

// Where a record is not a row (of an exec and the end of its process one is made), a Transform is called for each
// record, and with nullptr at the end of the run. What it emits is a record, with what it made of several, if its
// columns read that (RecordView::more), and has the stack of the record that it is called for, unless it says which.
class Emit {  // refers to a function of the caller's, which std::function would wrap for each record
 public:
  template <typename Function>
  Emit(const Function &function, uint64_t stack)
      : function_(&function),
        call_([](const void *f, const void *record, const void *more, uint64_t its_stack) {
          (*static_cast<const Function *>(f))(record, more, its_stack);
        }),
        stack_(stack) {}
  void operator()(const void *record, const void *more = nullptr) const { (*this)(record, more, stack_); }
  void operator()(const void *record, const void *more, uint64_t stack) const { call_(function_, record, more, stack); }
  [[nodiscard]] uint64_t stack() const { return stack_; }  // of the record that it is called for, or 0

 private:
  const void *function_;
  void (*call_)(const void *function, const void *record, const void *more, uint64_t stack);
  uint64_t stack_;
};

template <typename Record, typename Passes>
Keep keep_if(Passes passes) {
  return [passes](const void *record) { return passes(*static_cast<const Record *>(record)); };
}

// What a tool does besides, at two moments of a run.
struct EventsMoments {
  using OnRecord = std::function<void(const void *record, size_t size)>;
  std::function<void()> attached = {};  // when the object is, before a command begins
  // When it no longer is: has programs send what they still know, and drains the ring before it is full.
  std::function<void(const std::function<void()> &drain)> detached = {};
  std::function<void(const OnRecord &on_record)> left = {};  // at the end: records of what the BPF side has not sent
};

// Of the session's view, an EventSpec. The exit status.
int run_events(Session &session, Object &object, const EventsMoments &moments = {});
int replay_events(Recording &recording, Session &session);

// What an EventSpec makes of records, with the options of their run (nullptr: they are not known).
class EventRows {
 public:
  EventRows(const EventSpec &spec, const Values *options);

  // Calls `each` with the RecordView of each row of a record, kept or not, without its group; of nullptr, at the end,
  // for what is left. `stack` is the number of the record's, if it has one.
  template <typename Each>
  void make(const void *record, Resolver &resolver, uint64_t stack, const Each &each) const {
    const auto emit = [&](const void *one, const void *more, uint64_t its_stack) {
      each(RecordView{.data = one, .resolver = resolver, .more = more, .stack = its_stack});
    };
    if (transform_)
      transform_(record, resolver, Emit(emit, stack));
    else if (record != nullptr)
      emit(record, nullptr, stack);
  }
  [[nodiscard]] bool keeps(const RecordView &row) const { return !keep_ || keep_(row.data); }

 private:
  Transform transform_;
  Keep keep_;
};

// The rows of a recording that are kept.
class RecordedRows {
 public:
  using Each = std::function<void(const RecordView &row)>;

  RecordedRows(const EventSpec &spec, const Values *options, Each each);

  [[nodiscard]] std::span<const RecordType *const> types() const { return types_; }  // that take() is to have
  void take(const Record &record, Resolver &resolver);
  void end(Resolver &resolver) { show(nullptr, resolver); }

 private:
  void show(const void *record, Resolver &resolver);

  const RecordType *const types_[3];
  const EventRows made_;
  Each each_;
  uint64_t stack_ = 0, cgroup_ = 0;  // of the record that follows
};

// A whole record that the BPF side has not sent, during the run. It needs no names.
void add_event(Session &session, const void *record);

}  // namespace strata
