// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/traceparent.h"

#include <string>

#include "base/test.h"

namespace strata {
namespace {

constexpr std::string_view kTrace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

std::string request(const std::string &header) {
  return "GET / HTTP/1.1\r\nHost: h\r\n" + header + "\r\nAccept: *\r\n\r\n";
}
std::string request_of(const std::string &value) { return request("traceparent: " + value); }

}  // namespace

TEST_CASE("a request's trace is that of its header, however that is written") {
  const std::string trace(kTrace);
  CHECK(traceparent_of(request("traceparent: " + trace)) == kTrace);
  CHECK(traceparent_of(request("TraceParent:" + trace)) == kTrace);
  CHECK(traceparent_of(request("traceparent: \t" + trace + " ")) == kTrace);
  CHECK(traceparent_of(request_of("cc" + trace.substr(2) + "-more")) == "cc" + trace.substr(2));  // a newer version
  CHECK(trace_id_of(kTrace) == "4bf92f3577b34da6a3ce929d0e0e4736");
  CHECK(parent_id_of(kTrace) == "00f067aa0ba902b7");
}

TEST_CASE("what is not a trace is none") {
  std::string trace(kTrace);
  const auto with = [&](size_t at, char c) {
    std::string other = trace;
    other[at] = c;
    return request_of(other);
  };
  CHECK(traceparent_of(request("tracestate: a=b")).empty());
  CHECK(traceparent_of("hello\r\ntraceparent: " + trace + "\r\n\r\n").empty());           // not HTTP
  CHECK(traceparent_of("GET / HTTP/1.1\r\n\r\ntraceparent: " + trace + "\r\n").empty());  // of the body
  CHECK(traceparent_of("GET / HTTP/1.1\r\ntraceparent: " + trace).empty());               // cut off, perhaps
  CHECK(traceparent_of(request_of(trace + "-more")).empty());                             // not of version 0
  CHECK(traceparent_of(request_of("cc" + trace.substr(2) + "more")).empty());
  CHECK(traceparent_of(request_of("ff" + trace.substr(2))).empty());
  CHECK(traceparent_of(request_of(trace.substr(0, 54))).empty());
  CHECK(traceparent_of(request_of("00-" + std::string(32, '0') + trace.substr(35))).empty());
  CHECK(traceparent_of(request_of(trace.substr(0, 36) + std::string(16, '0') + "-01")).empty());
  CHECK(traceparent_of(with(10, 'A')).empty());
  CHECK(traceparent_of(with(10, '\0')).empty());
  CHECK(traceparent_of(with(35, ' ')).empty());
  CHECK(traceparent_of("").empty());
}

}  // namespace strata
