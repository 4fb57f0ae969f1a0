// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a request asks for: by protocol, cut off anywhere, and without a value in it unless that is asked for.
#include "follow/query/label.h"

#include <random>
#include <string>

#include "base/test.h"
#include "follow/query/labels.h"
#include "follow/query/sql_shape.h"

namespace strata {
namespace {

std::string pg(std::string_view sql) { return sql_shape(sql, SqlDialect::kPostgres); }
std::string my(std::string_view sql) { return sql_shape(sql, SqlDialect::kMysql); }

// One request of a connection of its own; "-": no label.
std::string label(std::string_view bytes, Literals literals = Literals::kHidden, uint64_t read = 0) {
  Statements statements;
  return label_of({.first = bytes, .read = read != 0 ? read : bytes.size()}, literals, statements).value_or("-");
}

std::string message(char type, std::string_view body) {
  const auto length = static_cast<uint32_t>(body.size() + 4);
  std::string text(1, type);
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(length >> shift);
  return text.append(body);
}
std::string text0(std::string_view text) { return std::string(text) + '\0'; }
std::string parse(std::string_view name, std::string_view sql) {
  return message('P', text0(name) + text0(sql) + std::string(2, '\0'));
}
std::string bind(std::string_view name) { return message('B', text0("") + text0(name) + std::string(6, '\0')); }
const std::string kExecute =
    message('D', std::string("P\0", 2)) + message('E', std::string(5, '\0')) + message('S', "");

std::string packet(char command, std::string_view body) {
  const size_t length = body.size() + 1;
  std::string text = {static_cast<char>(length), static_cast<char>(length >> 8), 0, 0, command};
  return text.append(body);
}

std::string command(std::initializer_list<std::string_view> words) {
  std::string text = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string_view word : words)
    text.append("$").append(std::to_string(word.size())).append("\r\n").append(word).append("\r\n");
  return text;
}

}  // namespace

TEST_CASE("a statement has no values") {
  CHECK(pg("SELECT a FROM t1 WHERE b = 'it''s' AND c=12.5e-3 AND d IN (1, 2,  3)") ==
        "SELECT a FROM t1 WHERE b = ? AND c=? AND d IN (?)");
  CHECK(pg("select $1, $2 , x.y from \"a b\" where z = -0x1F;") == "select $1, $2 , x.y from \"a b\" where z = ?");
  CHECK(pg("a + -1 in (-1, - 2) and b -3") == "a + ? in (?, - ?) and b -?");
  CHECK(pg("a = $$secret$$ or b = $x$ se$cret $x$ or c") == "a = ? or b = ? or c");
  CHECK(pg("a = E'x\\\\' and N'y' || b'01' || x") == "a = ? and ? || ? || x");
  CHECK(pg("a /* secret */ -- 'secret'\n b") == "a b");
  CHECK(my("SELECT \"secret\", `a b` # secret\n FROM t") == "SELECT ?, `a b` FROM t");
  CHECK(my("INSERT INTO t VALUES (1,'a'),(2,_utf8'b')") == "INSERT INTO t VALUES (?),(?,_utf8?)");
}

TEST_CASE("where a literal ends by a setting of the server, the rest is not shown") {
  CHECK(pg("a = 'x\\' , 'secret'") == "a = ?");
  CHECK(my("a = 'x\\'secret' b") == "a = ?");
  CHECK(pg("a /* x /* y */ secret */ b") == "a ?");
}

TEST_CASE("a statement that is cut off shows nothing of a value, wherever that is") {
  const std::string sql =
      "SELECT q FROM w WHERE e='SECRET' AND r=98765 AND t=$$SECRET$$ AND y=$x1$SECRET$x1$ /*SECRET*/";
  for (size_t size = 0; size <= sql.size(); size++) {
    INFO(size);
    for (const std::string &shape : {pg(sql.substr(0, size)), my(sql.substr(0, sql.find(" AND t")).substr(0, size))}) {
      CHECK(shape.find('S', 1) == shape.npos);
      CHECK(shape.find('9') == shape.npos);
    }
  }
}

TEST_CASE("postgresql: simple and extended queries") {
  CHECK(label(message('Q', text0("SELECT 1"))) == "SELECT ?");
  CHECK(label(message('Q', text0("SELECT 1")), Literals::kShown) == "SELECT 1");
  CHECK(label(message('Q', text0("SELECT b FROM t WHERE c = 'abc'")).substr(0, 33)) == "SELECT b FROM t WHERE c = ?");
  CHECK(label(parse("", "SELECT\n $1") + bind("") + kExecute) == "SELECT $1");
  CHECK(label(parse("", "BEGIN") + bind("") + kExecute + parse("", "SELECT $1") + bind("")) == "SELECT $1");
  CHECK(label(parse("s", "SELECT $1") + message('S', "")) == "prepare SELECT $1");
  CHECK(label(bind("s") + kExecute) == "execute s");
  CHECK(label(bind("") + kExecute) == "-");
  CHECK(label(message('p', "md5secret"), Literals::kShown) == "password");
  CHECK(label(message('X', "")) == "terminate");
  CHECK(label(std::string("\0\0\0\x08\x04\xd2\x16\x2f", 8)) == "start-up");
  CHECK(label(std::string("\0\0\0\x21\0\3\0\0user\0me\0database\0secret\0\0", 33), Literals::kShown) == "start-up");
  CHECK(label(message('Q', "no zero byte at its end")) == "-");
}

TEST_CASE("postgresql: a statement that was prepared is known by its name, on its connection") {
  Statements statements;
  const auto of = [&](const std::string &bytes) {
    return label_of({.first = bytes, .read = bytes.size()}, Literals::kHidden, statements).value_or("-");
  };
  CHECK(of(parse("s", "SELECT 7") + message('S', "")) == "prepare SELECT ?");
  CHECK(of(bind("s") + kExecute) == "SELECT ?");
  CHECK(of(parse("s", "DELETE FROM t") + message('S', "")) == "prepare DELETE FROM t");
  CHECK(of(bind("s") + kExecute) == "DELETE FROM t");
  CHECK(of(bind("other") + kExecute) == "execute other");
  for (size_t i = 0; i <= Statements::kMost; i++) statements.put(std::to_string(i), "x");
  CHECK(statements.find("s") == nullptr);
}

TEST_CASE("mysql: commands") {
  CHECK(label(packet(3, "SELECT 1")) == "SELECT ?");
  CHECK(label(packet(3, std::string("\0\1", 2) + "SELECT 1")) == "SELECT ?");
  CHECK(label(packet(3, "SELECT \"x\"").substr(0, 14)) == "SELECT ?");
  CHECK(label(packet(3, text0("SELECT 1"))) == "SELECT ?");
  CHECK(label(packet(22, "SELECT ?")) == "prepare SELECT ?");
  CHECK(label(packet(23, std::string(10, '\0'))) == "execute");
  CHECK(label(packet(14, "")) == "ping");
  CHECK(label(packet(3, "SELECT 1").substr(0, 4)) == "-");  // the header alone
  CHECK(label(packet(3, "SELECT 1") + packet(3, "DO 2").substr(0, 4)) == "SELECT ?");
  CHECK(label(packet(0x19, "1234") + packet(3, "SELECT 1")) == "SELECT ?");
  CHECK(label(packet(0x19, "1234") + packet(22, "SELECT ?")) == "prepare SELECT ?");
  CHECK(label(packet(0x19, "1234")) == "close");
  CHECK(label(packet(3, "SELECT 1") + "x") == "-");
}

namespace {

// The beginning of an answer to what prepares.
std::string numbered(uint32_t number, char status = 0, uint32_t length = 12) {
  std::string text = {static_cast<char>(length), 0, 0, 1, status};
  return text.append(reinterpret_cast<const char *>(&number), sizeof(number));
}
std::string executing(uint32_t number) { return packet(23, numbered(number).substr(5) + std::string(5, '\0')); }

}  // namespace

TEST_CASE("mysql: a statement that was prepared is known by the number of the answer") {
  Statements statements;
  const auto of = [&](const std::string &bytes) {
    return label_of({.first = bytes, .read = bytes.size()}, Literals::kHidden, statements).value_or("-");
  };
  CHECK(of(packet(22, "SELECT a + 7 FROM t WHERE b = ?")) == "prepare SELECT a + ? FROM t WHERE b = ?");
  CHECK(of(executing(1)) == "execute");
  learn_number(numbered(1), 0, statements);
  CHECK(of(executing(1)) == "SELECT a + ? FROM t WHERE b = ?");
  CHECK(of(executing(2)) == "execute");
  CHECK(of(packet(0xfa - 256, executing(1).substr(5))) == "SELECT a + ? FROM t WHERE b = ?");
  // An error, or an answer to something else.
  for (const std::string &answer : {numbered(2, -1), numbered(2, 0, 7), numbered(2).substr(0, 8)}) {
    learn_number(answer, 0, statements);
    CHECK(of(executing(2)) == "execute");
  }
  // Its header was read before.
  learn_statement(packet(22, "DELETE FROM t").substr(4), Literals::kHidden, statements);
  CHECK(of(executing(0xffffffff)) == "execute");
  learn_number(numbered(2), 0, statements);
  CHECK(of(executing(2)) == "DELETE FROM t");
  CHECK(of(executing(1)) == "SELECT a + ? FROM t WHERE b = ?");
  CHECK(of(packet(22, "DO 1") + executing(0xffffffff)) == "DO ?");
  // It begins anew: another connection at that place.
  learn_number(numbered(1), 0, statements);
  CHECK(of(executing(1)) == "DO ?");
  CHECK(of(executing(2)) == "execute");
}

TEST_CASE("mysql: of several that are prepared at once the first has the first number") {
  Statements statements;
  const auto of = [&](const std::string &bytes) {
    return label_of({.first = bytes, .read = bytes.size()}, Literals::kHidden, statements).value_or("-");
  };
  CHECK(of(packet(22, "DO 1, a") + packet(22, "DO 1, b")) == "prepare DO ?, b");
  learn_number(numbered(1), 0, statements);
  CHECK(of(executing(1)) == "DO ?, a");
}

TEST_CASE("mysql: a request is known by its length, whatever that is") {
  for (size_t length = 10; length < 300; length++) {
    INFO(length);
    CHECK(label(packet(22, std::string(length - 1, 'a'))).starts_with("prepare a"));
    CHECK(label(packet(23, std::string(length - 1, '\1'))) == "execute");
    CHECK(label(packet(0xfa - 256, std::string(length - 1, '\1'))) == "execute");
    CHECK(label(packet(24, std::string(length - 1, '\1')) + packet(14, "")) == "ping");
  }
}

TEST_CASE("redis: the command, and how many") {
  const std::string get = command({"get", "key"}), set = command({"SET", "secret", "secret"});
  CHECK(label(get) == "GET");
  CHECK(label(set, Literals::kShown) == "SET secret secret");
  CHECK(label(set.substr(0, 20)) == "SET");
  CHECK(label(command({"config", "set", "requirepass", "secret"})) == "CONFIG SET");
  CHECK(label(command({"AUTH", "secret"}), Literals::kShown) == "AUTH");
  CHECK(label(command({"CONFIG", "SET", "requirepass", "secret"}), Literals::kShown) == "CONFIG SET");
  CHECK(label(get + get + set) == "3 commands");
  CHECK(label(get + get + set, Literals::kHidden, 5000) == "more than 3 commands");
  CHECK(label(set.substr(0, 30), Literals::kHidden, 5000) == "SET");
  CHECK(label("*1\r\n$4\r\nA\x1b[m\r\n") == "-");
  CHECK(label("*99999999999999999999\r\n$3\r\nGET\r\n") == "-");
}

TEST_CASE("http, memcached, and what is not to be read") {
  CHECK(label("GET /a/b?token=secret HTTP/1.1\r\nHost: x\r\n\r\n") == "GET /a/b");
  CHECK(label("GET /a?b=c HTTP/1.1\r\n", Literals::kShown) == "GET /a?b=c");
  CHECK(label("POST /cut/of") == "POST /cut/of");
  CHECK(label("GETS /a HTTP/1.1\r\n") == "-");
  CHECK(label("get secret\r\n") == "get");
  CHECK(label("set k 0 0 6\r\nsecret\r\n", Literals::kShown) == "set k 0 0 6");
  CHECK(label("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") == "HTTP/2");
  CHECK(label(std::string("\0\0\x10\1\5\0\0\0\3", 9) + std::string(16, 'x')) == "HTTP/2");
  CHECK(label("\x17\x03\x03\x01\x10secret") == "TLS");
  CHECK(label("hello") == "-");
  CHECK(label("") == "-");
}

namespace {

query_words words_of(uint32_t from, uint32_t n, std::string_view buffer) {
  query_words words = {};
  words.hop.flags = QUERY_HAS_WORDS;
  words.from = from;
  words.n = n;
  words.size = static_cast<uint32_t>(buffer.copy(words.bytes, sizeof(words.bytes)));
  return words;
}

std::string after(std::initializer_list<query_words> reads) {
  Labels labels;
  RequestWords so_far;
  std::string last = "-";
  for (const query_words &words : reads) last = labels.label_of(words, so_far).value_or("-");
  return last;
}

}  // namespace

TEST_CASE("a request is put together from its reads") {
  const std::string mysql = packet(3, "SELECT 1"), http = "GET /index.html HTTP/1.1\r\n";
  // Header and body are two calls, into one buffer, in which older bytes are left.
  CHECK(after({words_of(0, 4, mysql.substr(0, 4)), words_of(4, 9, mysql.substr(4) + "stale")}) == "SELECT ?");
  // One call takes a segment after the other, and tells each time.
  CHECK(after({words_of(0, 6, http.substr(0, 6)), words_of(6, 20, http)}) == "GET /index.html");
  // Two calls.
  CHECK(after({words_of(0, 6, http.substr(0, 6)), words_of(6, 20, http.substr(6))}) == "GET /index.html");
  // One in between had none to give.
  CHECK(after({words_of(0, 6, http.substr(0, 6)), words_of(8, 18, http.substr(8))}) == "GET /i");
}

TEST_CASE("what is prepared on a connection that is not sampled is known later, there alone") {
  Labels labels;
  query_words prepared = words_of(0, 0, parse("s", "SELECT 7"));
  prepared.hop.sock = 5;
  prepared.port = 1000;
  labels.learn(prepared);
  const auto of = [&](uint64_t sock, uint32_t port) {
    const std::string bytes = bind("s") + kExecute;
    query_words words = words_of(0, static_cast<uint32_t>(bytes.size()), bytes);
    words.hop.sock = sock;
    words.port = port;
    RequestWords so_far;
    return labels.label_of(words, so_far).value_or("-");
  };
  CHECK(of(5, 1000) == "SELECT ?");
  CHECK(of(5, 1001) == "execute s");
  CHECK(of(6, 1000) == "execute s");
}

TEST_CASE("the number of what is prepared counts on its connection alone") {
  Labels labels;
  const auto told = [&](uint32_t kind, uint32_t port, const std::string &bytes, uint64_t prepared_ns = 0) {
    query_words words = words_of(0, 0, bytes);
    words.hop.out_ns = prepared_ns;
    words.hop.kind = kind;
    words.hop.sock = 5;
    words.port = port;
    labels.learn(words);
  };
  const auto of = [&](uint32_t port, uint32_t number = 1) {
    const std::string bytes = executing(number);
    query_words words = words_of(0, static_cast<uint32_t>(bytes.size()), bytes);
    words.hop.sock = 5;
    words.port = port;
    RequestWords so_far;
    return labels.label_of(words, so_far).value_or("-");
  };
  told(QUERY_PREPARE, 1000, packet(22, "SELECT 7"));
  told(QUERY_PREPARED, 1001, numbered(1));
  told(QUERY_PREPARED, 1000, numbered(1));
  CHECK(of(1000) == "SELECT ?");
  CHECK(of(1001) == "execute");
  // The answer to another one, whose record was lost; and one of which nothing is understood.
  told(QUERY_PREPARE, 1000, packet(22, "SELECT 8"));
  told(QUERY_PREPARED, 1000, numbered(2), 5);
  told(QUERY_PREPARE, 1000, packet(22, "SELECT 9"));
  told(QUERY_PREPARE, 1000, packet(22, "SELECT '\1'"));
  told(QUERY_PREPARED, 1000, numbered(3));
  CHECK(of(1000) == "SELECT ?");
  CHECK(of(1000, 2) == "execute");
  CHECK(of(1000, 3) == "execute");
}

TEST_CASE("whatever comes, a label is short, and prepared statements are bounded") {
  const std::string_view parts[] = {
      "Q", "P", "B", "*1\r\n", "$3\r\nGET\r\n", "GET /", "'", "\"", "$", "\\", "SELECT ", "/*", "*/", "--", "1", " "};
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    std::mt19937_64 random(seed);
    std::string bytes = random() % 2 ? message("QPBp"[random() % 4], "") : std::string();
    for (uint64_t n = random() % 40; n != 0; n--) {
      if (random() % 3 == 0)
        bytes += static_cast<char>(random());
      else
        bytes += parts[random() % std::size(parts)];
    }
    Statements statements;
    for (const Literals literals : {Literals::kHidden, Literals::kShown})
      if (const auto one = label_of({.first = bytes, .read = bytes.size()}, literals, statements)) {
        CHECK(!one->empty());
        CHECK(one->size() <= kMostLabel);
        CHECK(one->find('\n') == one->npos);
      }
  }
}

}  // namespace strata
