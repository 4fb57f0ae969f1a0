// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where the output of an exported tool goes: nothing is shown, its totals are kept, its samples are pushed.
#pragma once

#include "export/exported.h"
#include "export/push.h"
#include "render/otlp.h"
#include "render/sink.h"

namespace strata {

inline constexpr const char *kService = "strata";  // of OTLP

// Of the host's run, which shows nothing: what it is.
class HostSink final : public Sink {
 public:
  explicit HostSink(RecordingHead &head) : Sink(Writer()), head_(head) {}
  void put(const Item &item) override { dispatch(*this, item); }
  void flush() override {}

  void on(const RunInfo &info) { head_ = info.head; }

 private:
  RecordingHead &head_;
};

class GuestSink final : public Sink {
 public:
  GuestSink(Exported &one, Pusher *pusher) : Sink(Writer()), one_(one), pusher_(pusher) {}

  void put(const Item &item) override {
    one_.totals.put(item);
    if (pusher_ != nullptr) dispatch(*this, item);
  }
  void flush() override {}
  [[nodiscard]] uint64_t interval_ns() const override { return one_.wanted.interval_ns; }

  void on(const RunInfo &info) { spans_.begin(info); }
  void on(const Sample &sample) { pusher_->add_span(spans_.resource_spans(sample)); }

 private:
  Exported &one_;
  Pusher *pusher_;
  OtlpSpans spans_{kService};
};

}  // namespace strata
