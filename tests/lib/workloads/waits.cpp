// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Threads that wait for a CPU. `waits`: one named "waiter" sleeps 53 times, and at its end prints how often it got a
// CPU and how long it had waited, from the kernel's own account. `waits moved`: 7 times it waits 30 ms on the first CPU
// behind a thread of a real-time class and is then moved to the second. `waits naps`: one named "napper", of that
// class, spins for 10 ms and sleeps for 20, 11 times. `waits crowd N`: N threads that never sleep use half a second of
// one CPU; while one of them is named "crowd", all of them want it. Status 77 where that cannot be.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr int kSleeps = 53, kMoves = 7, kNaps = 11;
constexpr int kWaitUs = 30000, kNapUs = 20000;
constexpr int64_t kSpinNs = 10'000'000, kCrowdNs = 500'000'000;

std::atomic<int> waiter;  // its thread's number
std::atomic<bool> hogs, started;
std::atomic<int> come, gone;  // of a crowd
int crowd;
int wake[2], woken[2];

void check(bool ok, const char *what) {
  if (ok) return;
  perror(what);
  exit(77);
}

void pin(int tid, int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  check(sched_setaffinity(tid, sizeof(set), &set) == 0, "sched_setaffinity");
}

void account() {
  char text[100] = {};
  const int fd = open("/proc/thread-self/schedstat", O_RDONLY);
  check(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0, "schedstat");
  unsigned long long ran = 0, waited = 0, times = 0;
  check(sscanf(text, "%llu %llu %llu", &ran, &waited, &times) == 3, "schedstat");
  printf("{\"type\":\"note\",\"tid\":%d,\"waited_ns\":%llu,\"times\":%llu}\n", gettid(), waited, times);
  fflush(stdout);
}

void *sleeps(void *) {
  prctl(PR_SET_NAME, "waiter");
  for (int i = 0; i < kSleeps; i++) usleep(100);
  account();
  return nullptr;
}

void *is_moved(void *) {
  prctl(PR_SET_NAME, "waiter");
  waiter = gettid();
  char c = 0;
  while (read(wake[0], &c, 1) == 1) check(write(woken[1], &c, 1) == 1, "write");
  return nullptr;
}

void be_first() {
  const sched_param first = {.sched_priority = 1};
  check(sched_setscheduler(0, SCHED_FIFO, &first) == 0, "sched_setscheduler");
}

int64_t now_ns(clockid_t clock = CLOCK_MONOTONIC) {
  timespec now = {};
  clock_gettime(clock, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void *naps(void *) {
  prctl(PR_SET_NAME, "napper");
  be_first();
  for (int i = 0; i < kNaps; i++) {
    const int64_t start = now_ns(CLOCK_THREAD_CPUTIME_ID);  // goes by the clock of the run queue
    while (now_ns(CLOCK_THREAD_CPUTIME_ID) - start < kSpinNs) {
    }
    usleep(kNapUs);
  }
  return nullptr;
}

void *crowds(void *) {
  come++;
  while (come < crowd) {
  }
  prctl(PR_SET_NAME, "crowd");
  while (now_ns(CLOCK_PROCESS_CPUTIME_ID) < kCrowdNs) {
  }
  prctl(PR_SET_NAME, "leaving");
  gone++;
  while (gone < crowd) {
  }
  return nullptr;
}

void *hog(void *) {
  prctl(PR_SET_NAME, "hog");
  pin(0, 0);
  be_first();
  started = true;
  while (hogs) {
  }
  return nullptr;
}

// The waiter sleeps, and so waits for no CPU, until it is woken.
void wait_asleep() {
  char text[200] = {}, state = 0;
  const std::string path = "/proc/self/task/" + std::to_string(waiter) + "/stat";
  for (; state != 'S'; usleep(100)) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    check(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0, "stat");
    close(fd);
    check(sscanf(text, "%*d (%*[^)]) %c", &state) == 1, "stat");
  }
}

void move_once() {
  wait_asleep();
  pin(waiter, 0);
  pthread_t thread;
  hogs = true;
  started = false;
  pthread_create(&thread, nullptr, hog, nullptr);
  while (!started) usleep(100);
  char c = 0;
  check(write(wake[1], &c, 1) == 1, "write");
  usleep(kWaitUs);
  pin(waiter, 1);
  check(read(woken[0], &c, 1) == 1, "read");
  hogs = false;
  pthread_join(thread, nullptr);
}

}  // namespace

int main(int argc, char **argv) {
  pthread_t thread;
  if (argc < 2) {
    pthread_create(&thread, nullptr, sleeps, nullptr);
    return pthread_join(thread, nullptr);
  }
  if (strcmp(argv[1], "naps") == 0) {
    pthread_create(&thread, nullptr, naps, nullptr);
    return pthread_join(thread, nullptr);
  }
  if (strcmp(argv[1], "crowd") == 0) {
    crowd = argc > 2 ? atoi(argv[2]) : 1;
    pin(0, 0);
    for (int i = 1; i < crowd; i++) pthread_create(&thread, nullptr, crowds, nullptr);
    crowds(nullptr);
    return 0;
  }
  check(sysconf(_SC_NPROCESSORS_ONLN) > 1, "one CPU");
  pin(0, 1);
  check(pipe(wake) == 0 && pipe(woken) == 0, "pipe");
  pthread_create(&thread, nullptr, is_moved, nullptr);
  while (waiter == 0) usleep(100);
  for (int i = 0; i < kMoves; i++) move_once();
  close(wake[1]);
  return pthread_join(thread, nullptr);
}
