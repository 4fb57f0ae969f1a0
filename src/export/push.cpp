// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/push.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/dns.h>
#include <event2/http.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/outlet.h"
#include "export/event_base.h"
#include "export/http_server.h"

namespace strata {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr size_t kMostWaitingBytes = 4 << 20, kMostMessageBytes = 256 << 10;
constexpr int kMostSilentSeconds = 10;
constexpr size_t kMostAnswerBytes = 64 << 10;
constexpr std::string_view kTracesHead = "{\"resourceSpans\":[";

bool is_numeric(const std::string &host) {
  char bytes[sizeof(in6_addr)];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

// That may be another the next time (OTLP 1.x, "Failures").
bool is_transient(int status) { return status == 429 || status == 502 || status == 503 || status == 504; }

}  // namespace

uint64_t BackOff::next_ns() { return std::min<uint64_t>(60, uint64_t{1} << std::min(failures_++, 6U)) * kSecondNs; }

void Pusher::Free::operator()(evdns_base *base) const { evdns_base_free(base, 0); }
void Pusher::Free::operator()(evhttp_connection *connection) const { evhttp_connection_free(connection); }

// libevent asks the servers of /etc/resolv.conf itself: the C library's functions need its modules, and they block.
Pusher::Pusher(EventBase &events, PushTarget target) : events_(events), target_(std::move(target)) {
  const bool asks = !is_numeric(target_.host);
  names_.reset(
      evdns_base_new(events.get(), asks ? EVDNS_BASE_INITIALIZE_NAMESERVERS | EVDNS_BASE_DISABLE_WHEN_INACTIVE : 0));
  connection_.reset(evhttp_connection_base_new(events.get(), names_.get(), target_.host.c_str(), target_.port));
  if (!names_ || !connection_) throw Error("cannot push to " + target_.host);
  evhttp_connection_set_timeout(connection_.get(), kMostSilentSeconds);
  evhttp_connection_set_max_body_size(connection_.get(), kMostAnswerBytes);
  evhttp_connection_set_max_headers_size(connection_.get(), kMostAnswerBytes);
}

Pusher::~Pusher() = default;

void Pusher::push_metrics(std::string message) {
  const auto is_older = [this](const Message &one) {
    return one.signal == Signal::kMetrics && !(sending_ && &one == &waiting_.front());
  };
  waiting_bytes_ += message.size();
  const auto older = std::ranges::find_if(waiting_, is_older);
  if (older == waiting_.end()) {
    waiting_.push_back({.signal = Signal::kMetrics, .body = std::move(message)});
    return;
  }
  counts(Signal::kMetrics).dropped++;
  waiting_bytes_ -= older->body.size();
  older->body = std::move(message);  // at its place, or spans that never cease would always be before it
}

void Pusher::add_span(std::string resource_spans) {
  const bool open = !waiting_.empty() && waiting_.back().signal == Signal::kTraces &&
                    !(sending_ && waiting_.size() == 1) && waiting_.back().body.size() < kMostMessageBytes;
  if (waiting_bytes_ + resource_spans.size() > kMostWaitingBytes) {
    if (counts(Signal::kTraces).dropped++ == 0)
      say("strata export: the collector takes spans more slowly than they come: some are dropped\n");
    return;
  }
  if (!open) waiting_.push_back({.signal = Signal::kTraces, .body = std::string(kTracesHead)});
  Message &message = waiting_.back();
  if (message.samples++ != 0) message.body += ',';
  message.body += resource_spans;
  waiting_bytes_ += resource_spans.size() + 1;
}

void Pusher::tick() {
  if (!sending_ && !waiting_.empty() && monotonic_ns() >= not_before_ns_) send();
}

void Pusher::send() {
  const Message &message = waiting_.front();
  const bool metrics = message.signal == Signal::kMetrics;
  const auto on_done = [](evhttp_request *request, void *arg) {
    auto *self = static_cast<Pusher *>(arg);
    self->events_.guarded([&] { self->done(request); });
  };
  evhttp_request *request = evhttp_request_new(on_done, this);
  if (request == nullptr) return;
  evkeyvalq *headers = evhttp_request_get_output_headers(request);
  const std::string host = text_of(SocketAddress{.host = target_.host, .port = target_.port});
  evhttp_add_header(headers, "Host", host.c_str());
  evhttp_add_header(headers, "Content-Type", "application/json");
  evbuffer *body = evhttp_request_get_output_buffer(request);
  evbuffer_add(body, message.body.data(), message.body.size());
  if (!metrics) evbuffer_add(body, "]}", 2);
  sending_ = true;
  const std::string path = target_.path + (metrics ? "/v1/metrics" : "/v1/traces");
  if (evhttp_make_request(connection_.get(), request, EVHTTP_REQ_POST, path.c_str()) != 0 && sending_)
    retry("cannot connect");
}

// nullptr: no answer came.
void Pusher::done(evhttp_request *request) {
  const int status = request != nullptr ? evhttp_request_get_response_code(request) : 0;
  if (status == 0)
    retry("no answer");
  else if (is_transient(status))
    retry("status " + std::to_string(status));
  else
    answered(status);
}

void Pusher::answered(int status) {
  Message &message = waiting_.front();
  Counts &of = counts(message.signal);
  if (status >= 200 && status < 300) {
    of.sent++;
    refused_ = 0;
    if (back_off_.failures() != 0) say("strata export: the collector takes what is pushed again\n");
  } else {
    of.failed++;
    if (status != std::exchange(refused_, status))
      say("strata export: the collector refuses what is pushed: status %d\n", status);
    of.dropped += std::max<uint64_t>(message.samples, 1);
  }
  back_off_.succeed();
  sending_ = false;
  waiting_bytes_ -= std::min(waiting_bytes_, message.body.size());
  waiting_.pop_front();
}

void Pusher::retry(const std::string &why) {
  sending_ = false;
  counts(waiting_.front().signal).failed++;
  if (back_off_.failures() == 0)
    say("strata export: cannot push to %s: %s; it is tried again\n",
        text_of(SocketAddress{.host = target_.host, .port = target_.port}).c_str(), why.c_str());
  not_before_ns_ = monotonic_ns() + back_off_.next_ns();
}

}  // namespace strata
