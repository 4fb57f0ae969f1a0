// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A small HTTP server, of libevent's: pages that are made at once. No client can hold it up or use up much of anything:
// requests have few bytes, connections are few and do not stay for ever. When there are too many, the one ends that has
// asked for nothing for longest, so that connections which ask for nothing keep nobody out.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>

struct bufferevent;
struct evconnlistener;
struct event;
struct evhttp;
struct evhttp_request;

namespace strata {

class EventBase;

// Of a socket: numeric, "127.0.0.1" or "::1".
struct SocketAddress {
  std::string host = "127.0.0.1";
  uint16_t port = 0;
};
std::string text_of(const SocketAddress &address);  // "[::1]:9435"

struct HttpPage {
  int status = 200;
  std::string_view type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::string> body;  // of several answers at once, once in memory
};

class HttpServer {
 public:
  using Answer = std::function<HttpPage(std::string_view path, std::string_view accept)>;  // to a GET

  // Throws Error: somebody else listens there.
  HttpServer(EventBase &events, const SocketAddress &listen, Answer answer);
  HttpServer(const HttpServer &) = delete;
  HttpServer &operator=(const HttpServer &) = delete;
  ~HttpServer();

  void end_old_connections();  // each second

 private:
  struct Connection {
    bufferevent *buffers;  // a reference of ours
    uint64_t since_ns;     // its beginning, or its last request
  };
  struct Free {
    void operator()(evhttp *http) const;
    void operator()(event *one) const;
  };

  bufferevent *connected();
  void answer(evhttp_request *request);
  void forget_ended();
  void end_oldest();

  EventBase &events_;
  Answer answer_;
  std::list<Connection> connections_;
  std::unique_ptr<evhttp, Free> http_;
  std::unique_ptr<event, Free> look_;
  evconnlistener *listener_ = nullptr;  // of http_
};

}  // namespace strata
