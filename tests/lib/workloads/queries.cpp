// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A server whose clients each send N requests of 64 bytes, the next when the one before is answered (100 bytes):
//   queries own|pool|loop|held|refused 4|6|unix PORT N CLIENTS
// `own`: a thread for each client, which works, sleeps, waits for a lock that another thread has, and asks another
// server in turn, or only what the setting KIND says: cpu, sleep, lock, upstream, neighbour (another process, by a
// unix socket), disk (in the file FILE, with fdatasync), file (all write to FILE at once), memory (32 pages anywhere in
// 32 MiB), in the cgroup GROUP. `pool`: one thread reads all, and hands each request over to one of two workers, which
// sleeps and answers. `loop`: one thread reads what is there, then works for each and answers it. `held`: as own, and
// each answer is two writes, of which Nagle's algorithm may hold the second. `refused`: none is answered, and each
// client's connection is closed. The server prints a line for each request, by its clock (CLOCK_REALTIME):
//   {"type":"served","client":PORT,"n":1,"kind":"sleep","took_ns":T,"read_ns":R,"sent_ns":S,"reader":TID,"by":TID,
//    "others":K,"holder":TID}
// and before it, of `disk`, where the data are, which the file system may not know (0):
//   {"type":"stored","client":PORT,"n":1,"sector":S}
// others: reads and answers of other clients by the same thread between its read and its answer; took_ns: by its kind.
// The clients print one before each request was sent, and when its answer was read. On a unix socket the number of a
// client is its process's instead of its port. The clients begin when START, if it is set, a named pipe, is written to.
//   {"type":"request","client":PORT,"n":1,"sent_ns":A,"answered_ns":B,"by":TID}
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "net.h"

namespace {

constexpr size_t kRequest = 64, kAnswer = 100;

uint64_t now_ns() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

int tid() { return static_cast<int>(syscall(SYS_gettid)); }

void work(uint64_t ns) {
  const uint64_t end = now_ns() + ns;
  while (now_ns() < end) continue;
}

struct Request {
  int fd = 0, client = 0, n = 0;
  uint64_t read_ns = 0;
  int reader = 0;
  int others = 0;
};

// Has a lock for a while when asked to, and says when it has it.
class Holder {
 public:
  Holder() : thread_([this] { run(); }) { thread_.detach(); }

  int take() {  // returns when another thread has the lock
    std::unique_lock lock(mutex_);
    wanted_ = true;
    has_ = false;
    changed_.notify_all();
    changed_.wait(lock, [this] { return has_; });
    return tid_;
  }
  void wait() { std::lock_guard lock(held_); }

 private:
  void run() {
    prctl(PR_SET_NAME, "holder");
    tid_ = tid();
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return wanted_; });
      wanted_ = false;
      held_.lock();
      has_ = true;
      changed_.notify_all();
      lock.unlock();
      usleep(3000);
      held_.unlock();
    }
  }

  std::mutex mutex_, held_;
  std::condition_variable changed_;
  bool wanted_ = false, has_ = false;
  int tid_ = 0;
  std::thread thread_;
};

// Another server, in a process of its own: answers each byte 2 ms later.
int start_upstream() {
  Place place = own_place("4");
  const int listener = take_port(place);
  valid(listen(listener, 8), "listen");
  if (valid(fork(), "fork") == 0) {
    prctl(PR_SET_NAME, "upstream");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
      const int fd = accepted(listener);
      std::thread([fd] {
        for (char c = 0; recv(fd, &c, 1, 0) == 1;) {
          usleep(2000);
          if (send(fd, &c, 1, MSG_NOSIGNAL) != 1) break;
        }
      }).detach();
    }
  }
  close(listener);
  return place.port();
}

// The same behind a unix socket, for one client. Its thread is the process.
struct Neighbour {
  int fd, tid;
};

Neighbour start_neighbour() {
  int ends[2];
  valid(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
  const pid_t process = valid(fork(), "fork");
  if (process != 0) {
    close(ends[1]);
    return {ends[0], process};
  }
  prctl(PR_SET_NAME, "neighbour");
  close(ends[0]);
  for (char c = 0; read(ends[1], &c, 1) == 1;) {
    usleep(2000);
    if (write(ends[1], &c, 1) != 1) break;
  }
  _exit(0);
}

void exchange(int fd) {
  char c = 0;
  if (send(fd, &c, 1, MSG_NOSIGNAL) != 1 || recv(fd, &c, 1, 0) != 1) die("upstream");
}

void say_served(const Request &r, const char *kind, uint64_t took_ns, uint64_t sent_ns, int holder) {
  printf(
      "{\"type\":\"served\",\"client\":%d,\"n\":%d,\"kind\":\"%s\",\"took_ns\":%llu,\"read_ns\":%llu,\"sent_ns\":%llu,"
      "\"reader\":%d,\"by\":%d,\"others\":%d,\"holder\":%d}\n",
      r.client, r.n, kind, static_cast<unsigned long long>(took_ns), static_cast<unsigned long long>(r.read_ns),
      static_cast<unsigned long long>(sent_ns), r.reader, tid(), r.others, holder);
}

void answer(int fd, size_t size) {
  const std::array<char, kAnswer> data = {};
  if (send(fd, data.data(), size, MSG_NOSIGNAL) != static_cast<ssize_t>(size)) die("send");
}

void say_answered(int port, int n, uint64_t sent_ns) {
  printf("{\"type\":\"request\",\"client\":%d,\"n\":%d,\"sent_ns\":%llu,\"answered_ns\":%llu,\"by\":%d}\n", port, n,
         static_cast<unsigned long long>(sent_ns), static_cast<unsigned long long>(now_ns()), tid());
}

int port_of_client(int fd) {
  Place other("4");
  valid(getpeername(fd, other.generic(), &other.size), "getpeername");
  if (other.address.ss_family != AF_UNIX) return other.port();
  ucred client = {};
  socklen_t size = sizeof(client);
  valid(getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &client, &size), "SO_PEERCRED");
  return client.pid;
}

bool read_request(Request &r) {
  std::array<char, kRequest> data = {};
  if (recv(r.fd, data.data(), data.size(), MSG_WAITALL) != static_cast<ssize_t>(data.size())) return false;
  r.read_ns = now_ns();
  r.reader = tid();
  ++r.n;
  return true;
}

// Where the last page of the file lies on the file system's device, in sectors of 512 bytes; 0: not known.
unsigned long long sector_of_end(int file) {
  constexpr size_t kPage = 4096;
  alignas(fiemap) std::array<char, sizeof(fiemap) + sizeof(fiemap_extent)> found = {};
  auto &map = *reinterpret_cast<fiemap *>(found.data());
  map.fm_start = static_cast<uint64_t>(lseek(file, 0, SEEK_CUR)) - kPage;
  map.fm_length = kPage;
  map.fm_flags = FIEMAP_FLAG_SYNC;
  map.fm_extent_count = 1;
  if (ioctl(file, FS_IOC_FIEMAP, &map) != 0 || map.fm_mapped_extents == 0) return 0;
  return (map.fm_extents[0].fe_physical + map.fm_start - map.fm_extents[0].fe_logical) / 512;
}

int stored_file() {
  static const int file = valid(open(setting("FILE", "").c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600), "FILE");
  return file;
}

// Its sector.
unsigned long long store() {
  const int file = stored_file();
  const std::array<char, 4096> data = {};
  if (write(file, data.data(), data.size()) != static_cast<ssize_t>(data.size()) || fdatasync(file) != 0) die("store");
  return sector_of_end(file);
}

// As others do, who then wait for the lock of the file, and not for a disk.
void overwrite() {
  static const std::vector<char> data(size_t{1} << 20);
  for (int i = 0; i < 4; i++)
    if (pwrite(stored_file(), data.data(), data.size(), 0) != static_cast<ssize_t>(data.size())) die("overwrite");
}

void touch() {
  constexpr size_t kSize = size_t{32} << 20, kPage = 4096, kPages = 32;
  static std::vector<char> memory(kSize, 1);
  static std::minstd_rand random;
  for (size_t i = 0; i < kPages; i++) ++memory[random() % (kSize / kPage) * kPage];
}

void serve_own(int fd, bool in_two, bool refuses, int upstream_port) {
  prctl(PR_SET_NAME, "server");
  const int upstream = connected(own_place("4", upstream_port));
  Holder &holder = *new Holder;  // whose thread outlives this one
  Request r = {.fd = fd, .client = port_of_client(fd)};
  const std::string only = setting("KIND", "");
  const Neighbour neighbour = only == "neighbour" ? start_neighbour() : Neighbour{-1, 0};
  while (read_request(r)) {
    if (refuses) break;
    constexpr const char *kKinds[] = {"cpu", "sleep", "lock", "upstream"};
    const std::string kind = only.empty() ? kKinds[r.n % 4] : only;
    int held_by = 0;
    const uint64_t from_ns = now_ns();
    if (kind == "cpu") {
      work(2'000'000);
    } else if (kind == "sleep") {
      usleep(2000);
    } else if (kind == "lock") {
      held_by = holder.take();
      holder.wait();
    } else if (kind == "disk") {
      printf("{\"type\":\"stored\",\"client\":%d,\"n\":%d,\"sector\":%llu}\n", r.client, r.n, store());
    } else if (kind == "file") {
      overwrite();
    } else if (kind == "memory") {
      touch();
    } else if (kind == "neighbour") {
      held_by = neighbour.tid;
      exchange(neighbour.fd);
    } else {
      exchange(upstream);
    }
    const uint64_t took_ns = now_ns() - from_ns;
    answer(fd, in_two ? kAnswer / 2 : kAnswer);
    if (in_two) answer(fd, kAnswer / 2);
    say_served(r, kind.c_str(), took_ns, now_ns(), held_by);
  }
  close(fd);
  close(upstream);
  if (neighbour.tid != 0) {
    close(neighbour.fd);
    waitpid(neighbour.tid, nullptr, 0);
  }
}

class Pool {
 public:
  void start(int n) {
    for (int i = 0; i < n; i++) std::thread([this] { run(); }).detach();
  }
  void put(const Request &r) {
    {
      std::lock_guard lock(mutex_);
      queue_.push_back(r);
    }
    changed_.notify_one();
  }

 private:
  void run() {
    prctl(PR_SET_NAME, "worker");
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !queue_.empty(); });
      const Request r = queue_.front();
      queue_.pop_front();
      lock.unlock();
      const uint64_t from_ns = now_ns();
      usleep(2000);
      const uint64_t took_ns = now_ns() - from_ns;
      answer(r.fd, kAnswer);
      say_served(r, "sleep", took_ns, now_ns(), 0);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request> queue_;
};

// All connections by one thread: what is there is read, then answered, or given to the pool.
void serve_all(std::vector<Request> &connections, Pool *pool) {
  prctl(PR_SET_NAME, "server");
  const int waits = valid(epoll_create1(0), "epoll");
  for (size_t i = 0; i < connections.size(); i++) {
    epoll_event event = {.events = EPOLLIN, .data = {.u64 = i}};
    valid(epoll_ctl(waits, EPOLL_CTL_ADD, connections[i].fd, &event), "epoll_ctl");
  }
  for (size_t open = connections.size(); open != 0;) {
    std::array<epoll_event, 64> events = {};
    const int n = valid(epoll_wait(waits, events.data(), events.size(), -1), "epoll_wait");
    std::vector<Request *> ready;
    for (int i = 0; i < n; i++) {
      Request &r = connections[events[static_cast<size_t>(i)].data.u64];
      if (!read_request(r)) {
        epoll_ctl(waits, EPOLL_CTL_DEL, r.fd, nullptr);
        --open;
        continue;
      }
      r.others = 0;
      for (Request *other : ready) ++other->others;
      if (pool != nullptr)
        pool->put(r);
      else
        ready.push_back(&r);
    }
    for (size_t i = 0; i < ready.size(); i++) {
      const uint64_t from_ns = now_ns();
      work(300'000);
      const uint64_t took_ns = now_ns() - from_ns;
      answer(ready[i]->fd, kAnswer);
      say_served(*ready[i], "cpu", took_ns, now_ns(), 0);
      for (size_t later = i + 1; later < ready.size(); later++) ++ready[later]->others;
    }
  }
}

void run_client(const Place &place, int n, bool refused) {
  prctl(PR_SET_NAME, "client");
  const int fd = connected(place);
  Place own = place;
  valid(getsockname(fd, own.generic(), &own.size), "getsockname");
  std::array<char, kAnswer> data = {};
  for (int i = 0; i < n; i++) {
    const uint64_t sent_ns = now_ns();
    if (send(fd, data.data(), kRequest, MSG_NOSIGNAL) != static_cast<ssize_t>(kRequest)) die("request");
    const ssize_t got = recv(fd, data.data(), data.size(), MSG_WAITALL);
    if (refused ? got > 0 : got != static_cast<ssize_t>(data.size())) die("answer");
    if (refused) break;
    say_answered(own.address.ss_family == AF_UNIX ? getpid() : own.port(), i + 1, sent_ns);
    usleep(500);
  }
  close(fd);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  setvbuf(stdout, nullptr, _IOLBF, 0);  // strata writes lines to the same file
  const std::string mode = argv[1];
  const int n = atoi(argv[4]), clients = atoi(argv[5]);
  const int upstream = start_upstream();
  const Place place(argv[2], atoi(argv[3]));
  Place own = own_place(argv[2], atoi(argv[3]));
  const int listener = take_port(own);
  valid(listen(listener, 64), "listen");
  const pid_t others = valid(fork(), "fork");
  if (others == 0) {
    close(listener);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    enter_client_netns();
    if (const std::string start = setting("START", ""); !start.empty())
      close(valid(open(start.c_str(), O_RDONLY), "START"));
    std::vector<std::thread> threads;
    for (int i = 0; i < clients; i++) threads.emplace_back([&] { run_client(place, n, mode == "refused"); });
    for (std::thread &thread : threads) thread.join();
    usleep(50'000);  // for what is acknowledged late
    return 0;
  }
  if (const std::string group = setting("GROUP", ""); !group.empty()) {
    const int fd = valid(open((group + "/cgroup.procs").c_str(), O_WRONLY), "GROUP");
    if (write(fd, "0", 1) != 1) die("GROUP");
    close(fd);
  }
  std::vector<Request> connections;
  std::vector<std::thread> threads;
  Pool &pool = *new Pool;  // whose threads outlive this one
  if (mode == "pool") pool.start(2);
  for (int i = 0; i < clients; i++) {
    const int fd = accepted(listener);
    if (mode == "pool" || mode == "loop")
      connections.push_back({.fd = fd, .client = port_of_client(fd)});
    else
      threads.emplace_back([=] { serve_own(fd, mode == "held", mode == "refused", upstream); });
  }
  if (!connections.empty()) serve_all(connections, mode == "pool" ? &pool : nullptr);
  for (std::thread &thread : threads) thread.join();
  int status = 0;
  waitpid(others, &status, 0);
  return status != 0;
}
