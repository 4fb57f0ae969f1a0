// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Does one thing to the page cache, of which the number of pages is known. Of a file that is read
// it prints first how many pages the cache lacks, as a test's note.
//   pages make FILE N       a file of N pages, on the disk and not in the cache
//   pages random FILE N     reads each page of it once, in an order that no readahead guesses, without readahead
//   pages forward FILE N    reads it from the start to the end, with readahead
//   pages across FILE N     reads a page's bytes N times, half of them on the next page
//   pages mapped FILE N     touches each page once through mmap, without readahead
//   pages want FILE N       asks for all to be read ahead, then reads each page as random does
//   pages send FILE N       sendfile(2) of N pages to /dev/null
//   pages write FILE N      overwrites N pages, each with one write
//   pages part FILE N       overwrites a byte of each of N pages
//   pages once FILE N       writes N pages with one write
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

const auto kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));
std::vector<char> buffer(kPage, 'p');

void check(bool right, const char *what) {
  if (right) return;
  perror(what);
  exit(1);
}

off_t at(size_t page) { return static_cast<off_t>(page * kPage); }

// A step that is prime to any N here: each page once, no two neighbours in a row.
size_t turn(size_t i, size_t n) { return i * 7919 % n; }

size_t cached(int fd, size_t n) {
  std::vector<unsigned char> pages(n);
  void *map = mmap(nullptr, n * kPage, PROT_READ, MAP_SHARED, fd, 0);
  check(map != MAP_FAILED && mincore(map, n * kPage, pages.data()) == 0, "mincore");
  munmap(map, n * kPage);
  size_t count = 0;
  for (const unsigned char page : pages) count += page & 1;
  return count;
}

void write_pages(int fd, size_t n, size_t bytes) {
  for (size_t i = 0; i < n; i++)
    check(pwrite(fd, buffer.data(), bytes, at(i)) == static_cast<ssize_t>(bytes), "pwrite");
}

void make(int fd, size_t n) {
  write_pages(fd, n, kPage);
  check(fsync(fd) == 0, "fsync");
  for (int i = 0; i < 100 && cached(fd, n) > 0; i++) {
    check(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0, "fadvise");
    if (i > 0) usleep(10000);
  }
  check(cached(fd, n) == 0, "pages stay in the cache");
}

void read_pages(int fd, size_t n, off_t shift) {
  for (size_t i = 0; i < n; i++) check(pread(fd, buffer.data(), kPage, at(turn(i, n)) + shift) > 0, "pread");
}

// Not to the end of the file: there 5.10 adds a page that no read has.
void forward(int fd, size_t n) {
  for (size_t i = 0; i < n; i++) check(read(fd, buffer.data(), kPage) > 0, "read");
}

void map_pages(int fd, size_t n) {
  auto *map = static_cast<volatile char *>(mmap(nullptr, n * kPage, PROT_READ, MAP_SHARED, fd, 0));
  check(map != MAP_FAILED, "mmap");
  madvise(const_cast<char *>(map), n * kPage, MADV_RANDOM);
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += static_cast<unsigned char>(map[turn(i, n) * kPage]);
  if (sum == 0) exit(1);
}

void want(int fd, size_t n) {
  constexpr size_t kAtOnce = 16;  // the kernel limits one call to the disk's readahead
  for (size_t i = 0; i < n; i += kAtOnce)
    check(posix_fadvise(fd, at(i), at(kAtOnce), POSIX_FADV_WILLNEED) == 0, "fadvise");
  for (int i = 0; i < 1000 && cached(fd, n) < n; i++) usleep(10000);
  read_pages(fd, n, 0);
}

void send(int fd, size_t n) {
  const int out = open("/dev/null", O_WRONLY);
  off_t position = 0;
  while (position < at(n)) check(sendfile(out, fd, &position, at(n) - position) > 0, "sendfile");
}

void write_once(int fd, size_t n) {
  const std::vector<char> all(n * kPage, 'o');
  check(pwrite(fd, all.data(), all.size(), 0) == static_cast<ssize_t>(all.size()), "pwrite");
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const std::string_view what = argv[1];
  const size_t n = strtoul(argv[3], nullptr, 10);
  const int fd = open(argv[2], O_RDWR | O_CREAT, 0600);
  check(fd >= 0, argv[2]);
  if (what != "forward" && what != "send") check(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM) == 0, "fadvise");
  if (what == "make") return make(fd, n), 0;
  if (what != "write" && what != "part" &&
      what != "once") {  // a busy machine may have taken pages away, or brought them
    const std::string_view path = argv[2];
    printf("{\"type\":\"note\",\"%s\":%zu}\n", argv[2] + path.rfind('/') + 1, n - cached(fd, n));
    fflush(stdout);
  }
  if (what == "random") return read_pages(fd, n, 0), 0;
  if (what == "forward") return forward(fd, n), 0;
  if (what == "across") return read_pages(fd, n, kPage / 2), 0;
  if (what == "mapped") return map_pages(fd, n), 0;
  if (what == "want") return want(fd, n), 0;
  if (what == "send") return send(fd, n), 0;
  if (what == "write") return write_pages(fd, n, kPage), 0;
  if (what == "part") return write_pages(fd, n, 1), 0;
  if (what == "once") return write_once(fd, n), 0;
  return 2;
}
