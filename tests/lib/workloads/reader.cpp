// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program that knows where the bytes come from that it reads, the second opinion for `strata follow read`: before
// each read mincore(2) says which pages are in the page cache, and the others come from the device, unless they are a
// hole.
//   reader DIR           a fixed sequence of reads of every kind, in new files of DIR
//   reader DIR together  COUNT times one thread reads 1 MiB that is not in the cache while another reads its last page
// Prints a line for each read, at its end. Nothing else is read in DIR.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

const auto kPage = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
constexpr size_t kBufferBytes = 1 << 20;
constexpr int kTogether = 53;
char *const buffer = static_cast<char *>(aligned_alloc(4096, kBufferBytes));
std::string lines;

[[noreturn]] void die(const std::string &what) {
  fprintf(stderr, "reader: %s: %s\n", what.c_str(), strerror(errno));
  exit(1);
}

// Where the next read's bytes will come from, and how much of the file it will read ahead.
struct Known {
  uint64_t hole = 0;  // of the bytes that are not in the page cache
  uint64_t ahead = 0;
  bool direct = false;
};

class File {
 public:
  // `data` bytes that are on the device and not in the page cache, then a hole up to `size`.
  File(std::string path, uint64_t data, uint64_t size) : path_(std::move(path)) {
    const int fd = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0) die(path_);
    for (uint64_t at = 0; at < data; at += kBufferBytes) {
      const uint64_t n = data - at < kBufferBytes ? data - at : kBufferBytes;
      if (write(fd, buffer, n) != static_cast<ssize_t>(n)) die(path_);
    }
    if (ftruncate(fd, static_cast<off_t>(size)) != 0 || fsync(fd) != 0) die(path_);
    size_ = size;
    close(fd);
    fd_ = open(path_.c_str(), O_RDWR);
    drop();
  }
  ~File() { close(fd_); }
  File(const File &) = delete;

  int fd() const { return fd_; }
  void no_readahead() const { posix_fadvise(fd_, 0, 0, POSIX_FADV_RANDOM); }
  // Out of the page cache: what was fsynced may still be locked for a moment.
  void drop() const {
    for (int i = 0; i < 1000; ++i) {
      posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED);
      if (cached(0, size_) == 0) return;
      usleep(1000);
    }
    die(path_ + " stays in the page cache");
  }
  // Bytes of [lo, hi) in the page cache.
  uint64_t cached(uint64_t lo, uint64_t hi) const {
    if (hi > size_) hi = size_;
    if (lo >= hi) return 0;
    const uint64_t from = lo / kPage, pages = (hi + kPage - 1) / kPage - from;
    void *map = mmap(nullptr, pages * kPage, PROT_READ, MAP_SHARED, fd_, static_cast<off_t>(from * kPage));
    std::vector<unsigned char> in(pages);
    if (map == MAP_FAILED || mincore(map, pages * kPage, in.data()) != 0) die(path_);
    munmap(map, pages * kPage);
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < pages; ++i) {
      const uint64_t begin = (from + i) * kPage > lo ? (from + i) * kPage : lo;
      const uint64_t end = (from + i + 1) * kPage < hi ? (from + i + 1) * kPage : hi;
      if (in[i] & 1) bytes += end - begin;
    }
    return bytes;
  }
  // What `call` returns that reads at `at`, and where it must have it from.
  template <typename F>
  void read(const char *name, uint64_t at, F &&call, const Known &known = {}) {
    const uint64_t end = at + kBufferBytes < size_ ? at + kBufferBytes : size_;
    std::vector<uint64_t> in;
    for (uint64_t page = at / kPage * kPage; page < end; page += kPage) {
      const uint64_t lo = page > at ? page : at;
      in.push_back(known.direct ? 0 : cached(lo, page + kPage));
    }
    const ssize_t result = call(), n = result > 0 ? result : 0;
    if (result < 0 && errno != EAGAIN) die(path_ + ": " + name);
    uint64_t hit = 0, left = static_cast<uint64_t>(n);
    for (size_t i = 0; left > 0; ++i) {
      const uint64_t lo = i == 0 ? at % kPage : 0, bytes = left < kPage - lo ? left : kPage - lo;
      hit += in[i] < bytes ? in[i] : bytes;
      left -= bytes;
    }
    char line[512];
    snprintf(
        line, sizeof(line),
        R"({"n":%d,"call":"%s","file":"%s","offset_bytes":%llu,"size_bytes":%zd,"outcome":"%s","cache_bytes":%llu,)"
        R"("device_bytes":%llu,"no_io_bytes":%llu,"ahead_bytes":%llu})"
        "\n",
        ++n_, name, path_.c_str(), static_cast<unsigned long long>(at),
        result < 0 ? static_cast<ssize_t>(size_ - at) : n,
        result < 0 ? "failed"
        : n > 0    ? "completed"
                   : "empty",
        static_cast<unsigned long long>(hit), static_cast<unsigned long long>(n - hit - known.hole),
        static_cast<unsigned long long>(known.hole), static_cast<unsigned long long>(known.ahead));
    lines += line;
  }
  void pread(uint64_t at, size_t size, Known known = {}) {
    read(
        "pread64", at, [&] { return ::pread(fd_, buffer, size, static_cast<off_t>(at)); }, known);
  }

 private:
  static int n_;
  std::string path_;
  uint64_t size_ = 0;
  int fd_ = -1;
};
int File::n_ = 0;

void hits_and_misses(const std::string &dir) {
  File file(dir + "/random", 64 * kPage, 64 * kPage);
  file.no_readahead();
  file.pread(0, kPage);                // cold
  file.pread(0, kPage);                // warm
  file.pread(100, 50);                 // warm, a part of a page
  file.pread(2 * kPage, kPage);        // cold
  file.pread(kPage, 3 * kPage);        // cold, warm, cold
  file.pread(8 * kPage + 100, 1000);   // cold, a part of a page
  file.pread(16 * kPage, 16 * kPage);  // cold, large
  lseek(file.fd(), 5 * kPage, SEEK_SET);
  file.read("read", 5 * kPage, [&] { return read(file.fd(), buffer, kPage); });
  iovec two[2] = {{buffer, 1000}, {buffer + kPage, 2 * kPage - 1000}};
  file.read("readv", 6 * kPage, [&] { return readv(file.fd(), two, 2); });
  file.read("preadv", 40 * kPage, [&] { return preadv(file.fd(), two, 2, 40 * kPage); });
  file.read("preadv2", 44 * kPage, [&] { return preadv2(file.fd(), two, 2, 44 * kPage, 0); });
  file.pread(64 * kPage, kPage);  // nothing
  file.drop();
  file.pread(0, kPage);  // cold again
}

void readahead_and_ends(const std::string &dir) {
  File five(dir + "/five", 5 * kPage, 5 * kPage);
  five.pread(0, 4 * kPage, {.ahead = kPage});  // and the last page by readahead
  for (int i = 0; i < 1000 && five.cached(0, 5 * kPage) != 5 * kPage; ++i) usleep(1000);
  five.pread(4 * kPage, kPage);  // which was there then
  five.pread(0, 8 * kPage);      // all that there is
  File shorter(dir + "/short", kPage + 904, kPage + 904);
  shorter.pread(0, 2 * kPage);      // up to the end of the file
  shorter.pread(kPage, 2 * kPage);  // cached
}

void holes(const std::string &dir) {
  File file(dir + "/hole", 4 * kPage, 16 * kPage);
  file.no_readahead();
  file.pread(8 * kPage, 2 * kPage, {.hole = 2 * kPage});
  file.pread(8 * kPage, 2 * kPage);                   // the zeros are cached
  file.pread(3 * kPage, 2 * kPage, {.hole = kPage});  // one page of data
}

void refused(const std::string &dir) {
  File file(dir + "/refused", kPage, kPage);
  iovec one = {buffer, kPage};
  file.read("preadv2", 0, [&] { return preadv2(file.fd(), &one, 1, 0, RWF_NOWAIT); });
}

void dirty(const std::string &dir) {
  File file(dir + "/dirty", 4 * kPage, 4 * kPage);
  file.no_readahead();
  const int other = open((dir + "/dirty").c_str(), O_WRONLY);
  if (pwrite(other, buffer, kPage, kPage) != static_cast<ssize_t>(kPage)) die("write");
  close(other);
  file.pread(0, 3 * kPage);  // cold, dirty, cold
}

void direct(const std::string &dir) {
  File file(dir + "/direct", 8 * kPage, 16 * kPage);
  const int fd = open((dir + "/direct").c_str(), O_RDONLY | O_DIRECT);
  if (fd < 0) die("O_DIRECT");
  const auto at = [&](uint64_t offset, size_t size, Known known) {
    known.direct = true;
    const uint64_t end = offset + size, size_of_file = 16 * kPage, before = file.cached(end, size_of_file);
    const auto call = [&] {
      const ssize_t n = pread(fd, buffer, size, static_cast<off_t>(offset));
      known.ahead = file.cached(end, size_of_file) - before;
      return n;
    };
    file.read("pread64", offset, call, known);
  };
  at(0, 8 * kPage, {});
  // Some file systems read through the page cache all the same (btrfs with pages larger than its blocks), with
  // readahead.
  const bool through = file.cached(0, 8 * kPage) == 8 * kPage;
  at(12 * kPage, kPage, {.hole = kPage});
  at(7 * kPage, 2 * kPage, {.hole = through ? 2 * kPage : kPage});
  file.no_readahead();
  file.pread(0, kPage);
  at(0, 2 * kPage, {.hole = through ? 2 * kPage : 0});  // what is in the page cache, too
  close(fd);
}

void others(const std::string &dir) {
  File file(dir + "/others", 32 * kPage, 32 * kPage);
  file.no_readahead();
  if (readahead(file.fd(), 0, 32 * kPage) != 0) die("readahead");  // no read: it is not followed
  for (int i = 0; i < 1000 && file.cached(0, 32 * kPage) != 32 * kPage; ++i) usleep(1000);
  file.pread(0, 32 * kPage);  // all of it is there
}

void together(const std::string &dir) {
  File file(dir + "/together", kBufferBytes, kBufferBytes);
  file.no_readahead();
  char *last = static_cast<char *>(aligned_alloc(kPage, kPage));
  for (int i = 0; i < kTogether; ++i) {
    file.drop();
    std::thread first([&] {
      if (pread(file.fd(), buffer, kBufferBytes, 0) != static_cast<ssize_t>(kBufferBytes)) die("pread");
    });
    if (pread(file.fd(), last, kPage, kBufferBytes - kPage) != static_cast<ssize_t>(kPage)) die("pread");
    first.join();
  }
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  const std::string dir = argv[1];
  memset(buffer, 'r', kBufferBytes);
  if (argc > 2) {
    together(dir);
    return 0;
  }
  hits_and_misses(dir);
  readahead_and_ends(dir);
  holes(dir);
  dirty(dir);
  direct(dir);
  others(dir);
  refused(dir);
  fputs(lines.c_str(), stdout);
}
