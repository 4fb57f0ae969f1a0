// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Pushes messages of OTLP to a collector, one after the other: one that does not answer is tried again, after longer
// and longer; what waits meanwhile is bounded, and what finds no room is counted. Of metrics, which are cumulative,
// only the newest message waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "export/export_file.h"

struct evdns_base;
struct evhttp_connection;
struct evhttp_request;

namespace strata {

class EventBase;

enum class Signal : uint8_t { kMetrics, kTraces };

// How long to wait until a message is tried again: doubled each time, up to a minute.
class BackOff {
 public:
  uint64_t next_ns();  // of one more failure
  void succeed() { failures_ = 0; }
  [[nodiscard]] uint32_t failures() const { return failures_; }

 private:
  uint32_t failures_ = 0;
};

class Pusher {
 public:
  struct Counts {  // of messages, but dropped spans one by one
    uint64_t sent = 0, failed = 0, dropped = 0;
  };

  Pusher(EventBase &events, PushTarget target);
  Pusher(const Pusher &) = delete;
  Pusher &operator=(const Pusher &) = delete;
  ~Pusher();

  void push_metrics(std::string message);
  void add_span(std::string resource_spans);  // of one sample
  void tick();                                // each second: sends what is due
  [[nodiscard]] const Counts &of(Signal signal) const { return counts_[static_cast<size_t>(signal)]; }

 private:
  struct Message {
    Signal signal;
    std::string body;
    uint64_t samples = 0;
  };
  struct Free {
    void operator()(evdns_base *base) const;
    void operator()(evhttp_connection *connection) const;
  };

  Counts &counts(Signal signal) { return counts_[static_cast<size_t>(signal)]; }
  void send();
  void done(evhttp_request *request);
  void answered(int status);
  void retry(const std::string &why);

  EventBase &events_;
  PushTarget target_;
  std::unique_ptr<evdns_base, Free> names_;
  std::unique_ptr<evhttp_connection, Free> connection_;
  std::deque<Message> waiting_;  // the first one is sent, if `sending_`
  size_t waiting_bytes_ = 0;
  bool sending_ = false;
  uint64_t not_before_ns_ = 0;
  BackOff back_off_;
  int refused_ = 0;  // the status of the last message, if it was refused
  Counts counts_[2];
};

}  // namespace strata
