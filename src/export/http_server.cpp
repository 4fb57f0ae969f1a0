// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/http_server.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/fd.h"
#include "export/event_base.h"

namespace strata {
namespace {

constexpr size_t kMostConnections = 64;
constexpr int kBacklog = 32;
constexpr uint64_t kMostIdleNs = 60'000'000'000;  // since its beginning or its last request, however busy it is
constexpr int kMostSilentSeconds = 20;
constexpr ev_ssize_t kMostHeaderBytes = 8192, kMostBodyBytes = 1024;

int listening_socket(const SocketAddress &address) {
  sockaddr_storage storage = {};
  socklen_t size = sizeof(sockaddr_in);
  auto *v4 = reinterpret_cast<sockaddr_in *>(&storage);
  auto *v6 = reinterpret_cast<sockaddr_in6 *>(&storage);
  if (inet_pton(AF_INET, address.host.c_str(), &v4->sin_addr) == 1) {
    storage.ss_family = AF_INET;
    v4->sin_port = htons(address.port);
  } else if (inet_pton(AF_INET6, address.host.c_str(), &v6->sin6_addr) == 1) {
    storage.ss_family = AF_INET6;
    v6->sin6_port = htons(address.port);
    size = sizeof(sockaddr_in6);
  }
  Fd fd(socket(storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int one = 1;
  if (fd) setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
  if (!fd || bind(fd.get(), reinterpret_cast<const sockaddr *>(&storage), size) != 0 || listen(fd.get(), kBacklog) != 0)
    throw system_error("cannot listen on " + text_of(address) +
                       (errno == EADDRINUSE ? " (is another exporter running? say another address: listen)" : ""));
  return fd.release();
}

// libevent has freed it: what it calls is gone.
bool has_ended(bufferevent *buffers) {
  bufferevent_event_cb on_event = nullptr;
  bufferevent_getcb(buffers, nullptr, nullptr, &on_event, nullptr);
  return on_event == nullptr;
}

void send_page(evhttp_request *request, const HttpPage &page, bool with_body) {
  evkeyvalq *headers = evhttp_request_get_output_headers(request);
  evhttp_add_header(headers, "Content-Type", std::string(page.type).c_str());
  evhttp_add_header(headers, "X-Content-Type-Options", "nosniff");
  evhttp_add_header(headers, "Content-Length", std::to_string(page.body->size()).c_str());
  if (page.status == HTTP_BADMETHOD) evhttp_add_header(headers, "Allow", "GET, HEAD");
  if (with_body && !page.body->empty()) {
    auto *held = new std::shared_ptr<const std::string>(page.body);
    const auto release = [](const void *, size_t, void *one) {
      delete static_cast<std::shared_ptr<const std::string> *>(one);
    };
    evbuffer_add_reference(evhttp_request_get_output_buffer(request), page.body->data(), page.body->size(), release,
                           held);
  }
  evhttp_send_reply(request, page.status, nullptr, nullptr);
}

}  // namespace

std::string text_of(const SocketAddress &address) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return (v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

void HttpServer::Free::operator()(evhttp *http) const { evhttp_free(http); }
void HttpServer::Free::operator()(event *one) const { event_free(one); }

HttpServer::HttpServer(EventBase &events, const SocketAddress &listen, Answer answer)
    : events_(events), answer_(std::move(answer)), http_(evhttp_new(events.get())) {
  Fd fd(listening_socket(listen));
  if (http_)
    listener_ =
        evconnlistener_new(events.get(), nullptr, nullptr, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd.get());
  if (listener_ == nullptr || evhttp_bind_listener(http_.get(), listener_) == nullptr)
    throw Error("cannot serve " + text_of(listen));
  static_cast<void>(fd.release());
  const auto on_look = [](int, short, void *self) { static_cast<HttpServer *>(self)->forget_ended(); };
  look_.reset(event_new(events.get(), -1, 0, on_look, this));
  // Too many open files: the connection stays in the kernel's queue, and is not tried without end.
  evconnlistener_set_error_cb(listener_, [](evconnlistener *listener, void *) { evconnlistener_disable(listener); });
  evhttp_set_max_headers_size(http_.get(), kMostHeaderBytes);
  evhttp_set_max_body_size(http_.get(), kMostBodyBytes);
  evhttp_set_timeout(http_.get(), kMostSilentSeconds);
  constexpr int kAll = EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_HEAD | EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE |
                       EVHTTP_REQ_OPTIONS | EVHTTP_REQ_TRACE | EVHTTP_REQ_CONNECT | EVHTTP_REQ_PATCH;
  evhttp_set_allowed_methods(http_.get(), kAll);
  evhttp_set_bevcb(
      http_.get(), [](event_base *, void *self) { return static_cast<HttpServer *>(self)->connected(); }, this);
  const auto on_request = [](evhttp_request *request, void *arg) {
    auto *self = static_cast<HttpServer *>(arg);
    self->events_.guarded([&] { self->answer(request); });
  };
  evhttp_set_gencb(http_.get(), on_request, this);
}

HttpServer::~HttpServer() {
  http_.reset();
  for (const Connection &one : connections_) bufferevent_decref(one.buffers);
}

// libevent 2.1 neither counts its connections nor tells the end of one that asked for nothing.
bufferevent *HttpServer::connected() {
  forget_ended();
  bufferevent *buffers = bufferevent_socket_new(events_.get(), -1, 0);
  if (buffers == nullptr) return nullptr;
  bufferevent_incref(buffers);
  connections_.push_back({.buffers = buffers, .since_ns = monotonic_ns()});
  if (connections_.size() < kMostConnections) return buffers;
  evconnlistener_disable(listener_);
  end_oldest();
  return buffers;
}

void HttpServer::end_oldest() {
  const auto oldest = std::ranges::min_element(connections_, {}, &Connection::since_ns);
  shutdown(bufferevent_getfd(oldest->buffers), SHUT_RDWR);
  constexpr timeval kSoon = {.tv_sec = 0, .tv_usec = 1000};  // when libevent has seen that
  event_add(look_.get(), &kSoon);
}

void HttpServer::forget_ended() {
  connections_.remove_if([](const Connection &one) {
    if (!has_ended(one.buffers)) return false;
    bufferevent_decref(one.buffers);
    return true;
  });
  if (connections_.size() < kMostConnections)
    evconnlistener_enable(listener_);
  else
    end_oldest();
}

void HttpServer::end_old_connections() {
  forget_ended();
  const uint64_t now_ns = monotonic_ns();
  for (const Connection &one : connections_)
    if (now_ns - one.since_ns > kMostIdleNs) shutdown(bufferevent_getfd(one.buffers), SHUT_RDWR);
}

void HttpServer::answer(evhttp_request *request) {
  bufferevent *buffers = evhttp_connection_get_bufferevent(evhttp_request_get_connection(request));
  const auto connection = std::ranges::find(connections_, buffers, &Connection::buffers);
  if (connection != connections_.end()) connection->since_ns = monotonic_ns();
  const evhttp_cmd_type method = evhttp_request_get_command(request);
  const char *path = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(request));
  const char *accept = evhttp_find_header(evhttp_request_get_input_headers(request), "Accept");
  HttpPage page;
  if (method == EVHTTP_REQ_GET || method == EVHTTP_REQ_HEAD)
    page = answer_(path != nullptr ? path : "", accept != nullptr ? accept : "");
  else
    page = {.status = HTTP_BADMETHOD, .body = std::make_shared<std::string>("only GET and HEAD\n")};
  send_page(request, page, method != EVHTTP_REQ_HEAD);
}

}  // namespace strata
