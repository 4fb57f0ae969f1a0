// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A TCP server that understands nothing, and a client that sends it requests of many protocols, the next one when the
// one before is answered:
//   asks 4|6 PORT
// Of each request the server knows how it reads it: by which call, or header and body apart. For each it prints what
// its label is, without values and with them, and without values as the client's side knows it, which sends by turns
// with send, write, writev and sendmsg:
//   {"type":"asked","n":1,"label":"SELECT ?","text":"SELECT 1","sent":"SELECT ?","traceparent":"00-...-01"}
// "": none.
#include <sys/uio.h>
#include <sys/wait.h>

#include <array>
#include <string_view>
#include <vector>

#include "net.h"

namespace {

enum class Call { kRead, kRecv, kReadv, kRecvmsg, kHeaderAndBody, kInPieces, kReadNothing };

struct Request {
  std::string bytes, label, text;
  Call call = Call::kRecv;
  size_t first_piece = 0;  // is sent and, by kInPieces, read alone
  std::string sent = {};   // of the client's side; empty: the label
  std::string traceparent = {};
  std::string answer = "a";
};

// How MySQL answers what prepares: the statement has the number 7; no columns, no parameters, no warnings.
const std::string kNumbered("\x0c\0\0\1\0\7\0\0\0\0\0\0\0\0\0\0", 16);

std::string big_endian(size_t number) {
  return {static_cast<char>(number >> 24), static_cast<char>(number >> 16), static_cast<char>(number >> 8),
          static_cast<char>(number)};
}
std::string postgres(char type, const std::string &body) { return type + big_endian(body.size() + 4) + body; }
std::string text0(const std::string &text) { return text + '\0'; }
std::string parse(const std::string &name, const std::string &sql) {
  return postgres('P', text0(name) + text0(sql) + std::string(2, '\0'));
}
std::string run(const std::string &name) {
  return postgres('B', text0("") + text0(name) + std::string(6, '\0')) + postgres('E', std::string(5, '\0')) +
         postgres('S', "");
}
std::string mysql(char command, const std::string &body) {
  const size_t length = body.size() + 1;
  return std::string{static_cast<char>(length), static_cast<char>(length >> 8), 0, 0, command} + body;
}
std::string redis(const std::vector<std::string> &words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string &word : words) bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  return bytes;
}
std::string times(int n, const std::string &text) {
  std::string all;
  for (int i = 0; i < n; i++) all += text;
  return all;
}

std::vector<Request> requests() {
  const std::string sql = "SELECT a FROM t WHERE b = 'x' AND c = 42", shape = "SELECT a FROM t WHERE b = ? AND c = ?";
  const std::string get = redis({"GET", "key"}), http = "GET /a/b?c=d HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::string trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const std::string traced =
      "POST /pay HTTP/1.1\r\nHost: h\r\nCookie: " + std::string(500, 'c') + "\r\nTraceParent: " + trace + "\r\n\r\n{}";
  return {
      {postgres('Q', text0(sql)), shape, sql},
      {postgres('Q', text0(sql)), shape, sql, Call::kRead},
      {postgres('Q', text0(sql)), shape, sql, Call::kReadv},
      {postgres('Q', text0(sql)), shape, sql, Call::kRecvmsg},
      {parse("s1", sql) + postgres('S', ""), "prepare " + shape, "prepare " + sql},
      {run("s1"), shape, sql},
      {run("s2"), "execute s2", "execute s2"},
      {parse("", sql) + run(""), shape, sql},
      {mysql(3, sql), shape, sql, Call::kHeaderAndBody},
      {mysql(14, ""), "ping", "ping", Call::kHeaderAndBody},
      {mysql(23, std::string(10, '\0')), "execute", "execute", Call::kHeaderAndBody},
      {mysql(22, sql), "prepare " + shape, "prepare " + sql, Call::kHeaderAndBody, 0, "", "", kNumbered},
      {mysql(23, kNumbered.substr(5, 4) + std::string(6, '\0')), shape, sql, Call::kHeaderAndBody},
      {mysql(25, kNumbered.substr(5, 4)) + mysql(3, sql), shape, sql, Call::kHeaderAndBody},
      {mysql(3, sql + " "), shape, sql, Call::kHeaderAndBody},
      {get, "GET", "GET key", Call::kRead},
      {redis({"config", "get", "secret"}), "CONFIG GET", "CONFIG GET", Call::kRead},
      {times(16, get), "16 commands", "16 commands", Call::kRead},
      {times(400, get), "more than 46 commands", "more than 46 commands", Call::kRead},
      {http, "GET /a/b", "GET /a/b?c=d"},
      {http, "GET /a/b", "GET /a/b?c=d", Call::kInPieces, 8},
      {http + std::string(5000, 'x'), "GET /a/b", "GET /a/b?c=d"},
      {"get key\r\n", "get", "get key", Call::kRecvmsg},
      {"\x17\x03\x03\x01\x10" + std::string(272, 'x'), "TLS", "TLS"},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2", "HTTP/2"},
      {"hello\n", "", ""},
      {postgres('Q', text0(sql)), "", "", Call::kReadNothing, 0, shape},
      {traced, "POST /pay", "POST /pay", Call::kRead, 0, "", trace},
  };
}

ssize_t read_some(int fd, Call call, std::vector<char> &to) {
  iovec parts[] = {{to.data(), to.size()}, {to.data(), 1}};
  msghdr message = {};
  message.msg_iov = parts;
  message.msg_iovlen = 1;
  switch (call) {
    case Call::kRead:
      return read(fd, to.data(), to.size());
    case Call::kReadv:
      return readv(fd, parts, 2);
    case Call::kRecvmsg:
      return recvmsg(fd, &message, 0);
    case Call::kReadNothing:  // of the bytes, which are thrown away
      return recv(fd, nullptr, to.size(), MSG_TRUNC);
    default:
      return recv(fd, to.data(), to.size(), 0);
  }
}

void read_request(int fd, const Request &request) {
  std::vector<char> buffer(65536);
  size_t got = 0;
  if (request.call == Call::kHeaderAndBody) {
    if (recv(fd, buffer.data(), 4, 0) != 4) die("header");
    got = 4;
  }
  while (got < request.bytes.size()) {
    if (request.call == Call::kHeaderAndBody) buffer.resize(request.bytes.size() - got);
    const ssize_t n = read_some(fd, request.call, buffer);
    if (n <= 0) die("request");
    got += static_cast<size_t>(n);
  }
}

void serve(int fd) {
  int n = 0;
  for (const Request &request : requests()) {
    read_request(fd, request);
    const std::string &sent = request.sent.empty() ? request.label : request.sent;
    printf("{\"type\":\"asked\",\"n\":%d,\"label\":\"%s\",\"text\":\"%s\",\"sent\":\"%s\",\"traceparent\":\"%s\"}\n",
           ++n, request.label.c_str(), request.text.c_str(), sent.c_str(), request.traceparent.c_str());
    if (send(fd, request.answer.data(), request.answer.size(), MSG_NOSIGNAL) < 0) die("answer");
  }
}

void send_all(int fd, std::string_view bytes, int n) {
  if (bytes.empty()) return;
  char *const data = const_cast<char *>(bytes.data());  // which none of the calls changes
  iovec parts[] = {{data, bytes.size() - 1}, {data + bytes.size() - 1, 1}};
  msghdr message = {};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  const ssize_t sent = n % 4 == 0   ? send(fd, data, bytes.size(), MSG_NOSIGNAL)
                       : n % 4 == 1 ? write(fd, data, bytes.size())
                       : n % 4 == 2 ? writev(fd, parts, 2)
                                    : sendmsg(fd, &message, MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(bytes.size())) die("send");
}

void ask(const Place &place) {
  const int fd = connected(place);
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  int n = 0;
  for (const Request &request : requests()) {
    const std::string_view bytes = request.bytes;
    send_all(fd, bytes.substr(0, request.first_piece), n);
    if (request.first_piece != 0) usleep(20'000);
    send_all(fd, bytes.substr(request.first_piece), n++);
    char answer[64];
    if (recv(fd, answer, sizeof(answer), 0) != static_cast<ssize_t>(request.answer.size())) die("answer");
  }
  close(fd);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  setvbuf(stdout, nullptr, _IOLBF, 0);  // strata writes lines to the same file
  Place place(argv[1], atoi(argv[2]));
  const int listener = take_port(place);
  valid(listen(listener, 8), "listen");
  const pid_t client = valid(fork(), "fork");
  if (client == 0) {
    close(listener);
    ask(place);
    return 0;
  }
  serve(accepted(listener));
  int status = 0;
  waitpid(client, &status, 0);
  return status != 0;
}
