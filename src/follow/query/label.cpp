// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/label.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

#include "base/text.h"
#include "follow/query/resp.h"
#include "follow/query/sql_shape.h"

namespace strata {
namespace {

using Label = std::optional<std::string>;

uint32_t byte_at(std::string_view bytes, size_t at) { return static_cast<unsigned char>(bytes[at]); }
uint32_t big_endian(std::string_view bytes, size_t at, size_t n) {
  uint32_t number = 0;
  for (size_t i = 0; i < n; i++) number = number << 8 | byte_at(bytes, at + i);
  return number;
}
std::string_view before(std::string_view text, std::string_view ends) {
  return text.substr(0, text.find_first_of(ends));
}

std::string statement(std::string_view sql, SqlDialect dialect, Literals literals) {
  return literals == Literals::kShown ? std::string(sql) : sql_shape(sql, dialect);
}

// --- by record (RFC 8446 5.1) and by frame (RFC 9113 4.1, 3.4): what is in them is not known

bool is_tls(std::string_view bytes) {
  if (bytes.size() < 5) return false;
  const uint32_t type = byte_at(bytes, 0);
  return type >= 0x14 && type <= 0x17 && byte_at(bytes, 1) == 3 && byte_at(bytes, 2) >= 1 && byte_at(bytes, 2) <= 4 &&
         big_endian(bytes, 3, 2) <= (1U << 14) + 256;
}

bool is_http2(std::string_view bytes) {
  if (bytes.starts_with("PRI * HTTP/2.0\r\n")) return true;
  if (bytes.size() < 9 || byte_at(bytes, 0) != 0) return false;
  const uint32_t length = big_endian(bytes, 0, 3), type = byte_at(bytes, 3), stream = big_endian(bytes, 5, 4);
  switch (type) {
    case 1:  // HEADERS, of a client
      return length != 0 && stream < 1U << 31 && stream % 2 == 1;
    case 4:  // SETTINGS
      return stream == 0 && length % 6 == 0 && byte_at(bytes, 4) <= 1;
    case 6:  // PING
      return stream == 0 && length == 8;
    case 8:  // WINDOW_UPDATE
      return stream < 1U << 31 && length == 4;
    default:
      return false;
  }
}

// --- HTTP/1 (RFC 9112)

Label http_label(std::string_view bytes, Literals literals) {
  constexpr std::string_view kMethods[] = {"GET",   "POST",    "PUT",      "HEAD",      "DELETE", "PATCH", "OPTIONS",
                                           "TRACE", "CONNECT", "PROPFIND", "PROPPATCH", "MKCOL",  "REPORT"};
  const std::string_view method = before(bytes, " ");
  if (std::ranges::find(kMethods, method) == std::end(kMethods)) return std::nullopt;
  const std::string_view target = bytes.substr(std::min(method.size() + 1, bytes.size()));
  if (target.empty() ||
      (!target.starts_with('/') && !target.starts_with("http") && !target.starts_with('*') && method != "CONNECT"))
    return std::nullopt;
  return std::string(method) + " " + std::string(before(target, literals == Literals::kShown ? " \r\n" : " ?#\r\n"));
}

// --- PostgreSQL, protocol 3: a byte, a length with its own four bytes, big endian

struct Message {
  char type;
  std::string_view body;  // as far as it is there
  bool is_whole;
};

std::optional<Message> take_message(std::string_view &bytes) {
  constexpr std::string_view kTypes = "QPBEDCSHFXdcfp";
  if (bytes.size() < 5 || kTypes.find(bytes[0]) == kTypes.npos) return std::nullopt;
  const uint32_t length = big_endian(bytes, 1, 4);
  if (length < 4 || length >= 1U << 30) return std::nullopt;
  const bool is_whole = bytes.size() > length;
  const Message message = {bytes[0], bytes.substr(5, length - 4), is_whole};
  bytes.remove_prefix(std::min<size_t>(bytes.size(), size_t{1} + length));
  return message;
}

std::string_view take_text(std::string_view &body) {  // up to its zero byte
  const std::string_view text = body.substr(0, body.find('\0'));
  body.remove_prefix(std::min(body.size(), text.size() + 1));
  return text;
}

bool is_control(char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }

bool is_text(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return is_control(c) && (c < '\t' || c > '\r'); });
}

// No byte after the end of its text, as in a message of another protocol that begins like this one.
bool is_query(const Message &message) {
  const size_t end = message.body.find('\0');
  const bool ends = message.is_whole ? end + 1 == message.body.size() : end == message.body.npos;
  return ends && is_text(message.body.substr(0, end));
}

class PostgresLabel {
 public:
  PostgresLabel(Literals literals, Statements &statements) : literals_(literals), statements_(statements) {}

  Label of(std::string_view bytes) {
    if (const Label start = of_start(bytes)) return start;
    bool is_first = true;
    while (const std::optional<Message> message = take_message(bytes)) {
      if (!take(*message)) return is_first ? std::nullopt : label_;
      is_first = false;
    }
    if (!label_ && prepared_) return "prepare " + *prepared_;
    return label_;
  }

 private:
  // A length that is the packet's, and the version or a code in its place.
  static Label of_start(std::string_view bytes) {
    if (bytes.size() < 8) return std::nullopt;
    const uint32_t length = big_endian(bytes, 0, 4), version = big_endian(bytes, 4, 4);
    if (length < 8 || length > 10'000 || bytes.size() > length) return std::nullopt;
    if (version >> 16 == 3 && (version & 0xffff) < 16) return Label(kStartUp);
    return version >> 16 == 1234 && (version & 0xffff) - 5678 < 3 ? Label(kStartUp) : std::nullopt;
  }

  // What is bound is what is asked; of several the first that does not only begin a transaction.
  void ask(const std::string &what) {
    const auto begins = [](std::string_view text) { return equal_in_any_case(text, "begin"); };
    if (!label_ || begins(*label_)) label_ = what;
  }

  // False if it is none.
  bool take(const Message &message) {
    std::string_view body = message.body;
    switch (message.type) {
      case 'Q':
        if (!is_query(message)) return false;
        ask(statement(take_text(body), SqlDialect::kPostgres, literals_));
        return true;
      case 'P': {
        if (body.find('\0') == body.npos) return false;
        const std::string_view name = take_text(body), sql = take_text(body);
        if (!is_text(name) || !is_text(sql)) return false;
        prepared_ = statement(sql, SqlDialect::kPostgres, literals_);
        statements_.put(name, *prepared_);
        return true;
      }
      case 'B': {
        const bool is_known = std::ranges::count(body, '\0') >= 2;
        const std::string_view portal = take_text(body), name = take_text(body);
        if (!is_text(portal) || !is_text(name)) return false;
        if (!is_known) return !message.is_whole;
        if (const std::string *known = statements_.find(name))
          ask(*known);
        else if (!name.empty())
          ask("execute " + std::string(name));
        return true;
      }
      case 'F':
        ask("function call");
        return true;
      case 'p':
        ask("password");  // nothing of it, whatever is asked for
        return true;
      case 'X':
        if (!message.body.empty() || !message.is_whole) return false;
        ask("terminate");
        return true;
      case 'd':
      case 'c':
      case 'f':
        ask("copy");
        return true;
      default:
        return true;
    }
  }

  const Literals literals_;
  Statements &statements_;
  Label label_, prepared_;
};

// --- MySQL: a length of three bytes, little endian, a number, a command

constexpr uint32_t kPrepare = 0x16, kExecute = 0x17, kLongData = 0x18, kClose = 0x19, kReset = 0x1a, kFetch = 0x1c,
                   kExecuteBulk = 0xfa;
constexpr std::string_view kLastPrepared = "\xff\xff\xff\xff";  // of MariaDB

uint32_t length_of_packet(std::string_view bytes) {
  return byte_at(bytes, 0) | byte_at(bytes, 1) << 8 | byte_at(bytes, 2) << 16;
}

struct Packet {
  uint32_t command;
  uint32_t length;        // with the command
  std::string_view body;  // as far as it is there
};

std::optional<Packet> take_packet(std::string_view &bytes) {
  if (bytes.size() < 5 || byte_at(bytes, 3) != 0) return std::nullopt;
  const uint32_t length = length_of_packet(bytes);
  if (length == 0) return std::nullopt;
  const Packet packet = {byte_at(bytes, 4), length, bytes.substr(5, length - 1)};
  bytes.remove_prefix(std::min<size_t>(bytes.size(), size_t{4} + length));
  return packet;
}

class MysqlLabel {
 public:
  MysqlLabel(Literals literals, Statements &statements) : literals_(literals), statements_(statements) {}

  // Of several the one that is asked for: a statement is closed, or gets data, without an answer, before the next
  // request.
  Label of(std::string_view bytes) {
    Label label;
    bool is_found = false;
    while (const std::optional<Packet> packet = take_packet(bytes)) {
      const Label one = of(*packet);
      if (!one) return std::nullopt;
      if (!is_found) label = one;
      is_found = is_found || (packet->command != kClose && packet->command != kLongData && packet->command != kPrepare);
    }
    const bool is_header = bytes.size() == 4 && byte_at(bytes, 3) == 0;  // of what is read next
    return bytes.empty() || is_header ? label : std::nullopt;
  }

  Label of(const Packet &packet) {
    const bool is_alone = packet.length == 1;
    std::string_view text = packet.body;
    while (text.ends_with('\0')) text.remove_suffix(1);  // mysqlslap sends one
    switch (packet.command) {
      case 0x01:
        return is_alone ? Label("quit") : std::nullopt;
      case 0x03:
        if (text.starts_with(std::string_view("\0\1", 2)))
          text.remove_prefix(2);  // attributes, of which there are none
        return shape_of(text);
      case 0x0e:
        return is_alone ? Label("ping") : std::nullopt;
      case kPrepare: {
        const Label shape = shape_of(text);
        if (!shape) return std::nullopt;
        statements_.put_unnumbered(*shape);
        prepared_ = *shape;
        return "prepare " + *shape;
      }
      case kExecute:
        return packet.length >= 10 ? executed(packet.body) : std::nullopt;
      case kExecuteBulk:
        return packet.length >= 7 ? executed(packet.body) : std::nullopt;
      case kLongData:
        return packet.length >= 7 ? Label("long data") : std::nullopt;
      case kClose:
        return packet.length == 5 ? Label("close") : std::nullopt;
      case kReset:
        return packet.length == 5 ? Label("reset") : std::nullopt;
      case kFetch:
        return packet.length == 9 ? Label("fetch") : std::nullopt;
      case 0x1f:
        return is_alone ? Label("reset connection") : std::nullopt;
      default:
        return std::nullopt;
    }
  }

 private:
  [[nodiscard]] Label shape_of(std::string_view text) const {
    if (!is_text(text) || text.empty()) return std::nullopt;
    return statement(text, SqlDialect::kMysql, literals_);
  }

  Label executed(std::string_view body) {
    const std::string_view number = body.substr(0, 4);
    if (number == kLastPrepared) return prepared_ ? prepared_ : "execute";  // right behind what prepares it
    const std::string *known = statements_.find(number);
    return known != nullptr ? *known : "execute";
  }

  const Literals literals_;
  Statements &statements_;
  Label prepared_;
};

// Some messages of PostgreSQL begin like that, but with the length of a packet that would be longer than what was read.
bool is_mysql_statement(const RequestBytes &bytes) {
  constexpr uint32_t kOfStatements[] = {kPrepare, kExecute, kLongData, kClose, kExecuteBulk};
  return bytes.first.size() >= 5 && byte_at(bytes.first, 3) == 0 &&
         std::ranges::count(kOfStatements, byte_at(bytes.first, 4)) != 0 &&
         bytes.read >= uint64_t{length_of_packet(bytes.first)} + 4;
}

// --- memcached, in text

Label memcached_label(std::string_view bytes, Literals literals) {
  constexpr std::string_view kCommands[] = {"get",    "gets",      "gat",     "gats",      "set",  "add",  "replace",
                                            "append", "prepend",   "cas",     "delete",    "incr", "decr", "touch",
                                            "stats",  "flush_all", "version", "verbosity", "quit", "mg",   "ms",
                                            "md",     "ma",        "mn",      "me"};
  const std::string_view command = before(bytes, " \r\n");
  if (command.size() == bytes.size() || std::ranges::find(kCommands, command) == std::end(kCommands))
    return std::nullopt;
  const std::string_view line = before(bytes, "\r\n");
  if (!is_text(line)) return std::nullopt;
  return std::string(literals == Literals::kShown ? line : command);
}

Label any_label(const RequestBytes &bytes, Literals literals, Statements &statements) {
  if (is_tls(bytes.first)) return "TLS";
  if (is_http2(bytes.first)) return "HTTP/2";
  if (Label label = http_label(bytes.first, literals)) return label;
  if (is_mysql_statement(bytes))
    if (Label label = MysqlLabel(literals, statements).of(bytes.first)) return label;
  if (Label label = PostgresLabel(literals, statements).of(bytes.first)) return label;
  if (Label label = MysqlLabel(literals, statements).of(bytes.first)) return label;
  if (Label label = resp_label(bytes, literals)) return label;
  return memcached_label(bytes.first, literals);
}

}  // namespace

void Statements::put(std::string_view name, const std::string &label) {
  if (labels_.size() >= kMost && !labels_.contains(name))
    labels_.erase(
        std::ranges::min_element(labels_, {}, [](const auto &one) { return one.second.used; }));  // names are anybody's
  labels_.insert_or_assign(std::string(name), Known{label.substr(0, kMostLabel), ++uses_});
}

const std::string *Statements::find(std::string_view name) {
  const auto found = labels_.find(name);
  if (found == labels_.end()) return nullptr;
  found->second.used = ++uses_;
  return &found->second.label;
}

void Statements::take(Statements &&others) {
  for (const auto &[name, known] : others.labels_) put(name, known.label);
  unnumbered_ = std::move(others.unnumbered_);
  unnumbered_ns_ = others.unnumbered_ns_;
}

void Statements::put_unnumbered(const std::string &label) {
  if (unnumbered_.empty()) unnumbered_ = label;
}

void Statements::begin(uint64_t ns) {
  unnumbered_.clear();
  unnumbered_ns_ = ns;
}

void Statements::number(uint32_t number, uint64_t ns) {
  if (number <= greatest_) labels_.clear();
  greatest_ = number;
  const std::string_view name(reinterpret_cast<const char *>(&number), sizeof(number));
  if (ns == unnumbered_ns_ && !unnumbered_.empty()) put(name, unnumbered_);
  unnumbered_.clear();
}

std::optional<std::string> label_of(const RequestBytes &bytes, Literals literals, Statements &statements) {
  Label label = any_label(bytes, literals, statements);
  if (!label) return std::nullopt;
  for (char &c : *label)
    if (is_control(c)) c = ' ';
  label->resize(std::min(label->size(), kMostLabel));
  while (label->ends_with(' ')) label->pop_back();
  while (!label->empty() && label->front() == ' ') label->erase(0, 1);
  return label->empty() ? std::nullopt : label;
}

void learn_statement(std::string_view read, Literals literals, Statements &statements) {
  if (read.starts_with(static_cast<char>(kPrepare)) && !is_tls(read))
    MysqlLabel(literals, statements).of({.command = kPrepare, .length = 0, .body = read.substr(1)});
  else
    label_of({.first = read, .read = read.size()}, literals, statements);
}

// It is the first packet, whose status is 0.
void learn_number(std::string_view answer, uint64_t ns, Statements &statements) {
  if (answer.size() < 9 || byte_at(answer, 3) != 1 || byte_at(answer, 4) != 0) return;
  const uint32_t length = length_of_packet(answer);
  if (length < 12 || length > 13) return;
  uint32_t number = 0;
  for (size_t i = 8; i > 4; i--) number = number << 8 | byte_at(answer, i);
  statements.number(number, ns);
}

}  // namespace strata
