// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program that knows what it wrote, the second opinion for `strata follow write`.
//   writer DIR              a fixed sequence of writes of every kind
//   writer DIR SEED COUNT   COUNT random writes between rewrites, fsync, truncate and unlink
// Prints, at its end, a line for each write with the outcomes that are right for it. No sleeps; a prime number of
// writes.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

#include "ledger.h"

namespace {

const uint64_t kPage = sysconf(_SC_PAGESIZE);
constexpr size_t kBufferBytes = 2 << 20;
char *const buffer = static_cast<char *>(aligned_alloc(4096, kBufferBytes));
Ledger ledger;

[[noreturn]] void die(const std::string &what) {
  fprintf(stderr, "writer: %s: %s\n", what.c_str(), strerror(errno));
  exit(1);
}

// A new file, its descriptor, and the model that is told of every call.
class File {
 public:
  File(const std::string &path, int flags = 0)
      : path_(path), durable_(flags & (O_SYNC | O_DSYNC | O_DIRECT)), model_(ledger, path) {
    fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | flags, 0600);
    if (fd_ < 0) die(path);
  }
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File &) = delete;

  int fd() const { return fd_; }
  const std::string &path() const { return path_; }
  uint64_t size() const {
    struct stat status {};
    if (fstat(fd_, &status) != 0) die(path_);
    return status.st_size;
  }

  void write(size_t size) { moved("write", ::write(fd_, buffer, size)); }
  void write_at(uint64_t offset, size_t size) {
    lseek(fd_, static_cast<off_t>(offset), SEEK_SET);
    moved("write", ::write(fd_, buffer, size));
  }
  void write_from(const char *what, void *from, size_t size) { moved(what, ::write(fd_, from, size), size); }
  void writev(std::vector<size_t> sizes) {
    const std::vector<iovec> parts = vectors(sizes);
    moved("writev", ::writev(fd_, parts.data(), static_cast<int>(parts.size())));
  }
  void pwrite(uint64_t offset, size_t size) {
    done("pwrite", offset, ::pwrite(fd_, buffer, size, static_cast<off_t>(offset)), durable_);
  }
  void pwritev(uint64_t offset, std::vector<size_t> sizes) {
    const std::vector<iovec> parts = vectors(sizes);
    done("pwritev", offset, ::pwritev(fd_, parts.data(), static_cast<int>(parts.size()), static_cast<off_t>(offset)),
         durable_);
  }
  void pwritev2(const char *kind, uint64_t offset, std::vector<size_t> sizes, int flags) {
    const std::vector<iovec> parts = vectors(sizes);
    const uint64_t end = size();
    const ssize_t result =
        ::pwritev2(fd_, parts.data(), static_cast<int>(parts.size()), static_cast<off_t>(offset), flags);
    done(kind, flags & RWF_APPEND ? end : offset, result, durable_ || flags & (RWF_DSYNC | RWF_SYNC));
  }
  void writev2(size_t size) {  // pwritev2 at the file's own position
    const iovec part = {buffer, size};
    moved("pwritev2 -1", ::pwritev2(fd_, &part, 1, -1, 0));
  }
  void sendfile(int from, size_t size) {
    off_t start = 0;
    moved("sendfile", ::sendfile(fd_, from, &start, size));
  }
  void splice(uint64_t offset, size_t size) {
    int ends[2];
    loff_t at = static_cast<loff_t>(offset);
    if (pipe(ends) != 0 || ::write(ends[1], buffer, size) != static_cast<ssize_t>(size)) die("pipe");
    done("splice", offset, ::splice(ends[0], nullptr, fd_, &at, size, 0), durable_);
    close(ends[0]);
    close(ends[1]);
  }
  // The same file through a second descriptor.
  void direct_at(uint64_t offset, size_t size) {
    const int fd = open(path_.c_str(), O_WRONLY | O_DIRECT);
    if (fd < 0) die(path_);
    done("direct over cached", offset, ::pwrite(fd, buffer, size, static_cast<off_t>(offset)), true);
    close(fd);
  }

  void sync() {
    if (fsync(fd_) != 0) die(path_);
    model_.synced();
  }
  void datasync() {
    if (fdatasync(fd_) != 0) die(path_);
    model_.synced();
  }
  void truncate(uint64_t size) {
    if (ftruncate(fd_, static_cast<off_t>(size)) != 0) die(path_);
    model_.truncated(size);
  }
  // PUNCH_HOLE or ZERO_RANGE
  void cut_out(int mode, uint64_t offset, uint64_t size) {
    if (fallocate(fd_, mode | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(size)) != 0)
      die("fallocate " + path_);
    model_.cut_out(offset, size);
  }
  void remove() {
    if (unlink(path_.c_str()) != 0) die(path_);
    close(fd_);
    fd_ = -1;
    model_.dropped();
  }
  void leave() { model_.left(); }

 private:
  static std::vector<iovec> vectors(const std::vector<size_t> &sizes) {
    std::vector<iovec> parts;
    size_t at = 0;
    for (const size_t size : sizes) {
      parts.push_back({buffer + at, size});
      at += size;
    }
    return parts;
  }
  void moved(const char *kind, ssize_t result, size_t asked = 0) {
    if (result < 0 && (asked == 0 || errno != EFAULT)) die(std::string(kind) + " " + path_);
    const off_t now = lseek(fd_, 0, SEEK_CUR);
    model_.wrote(kind, static_cast<uint64_t>(now) - (result > 0 ? static_cast<uint64_t>(result) : 0), asked, result,
                 durable_);
  }
  void done(const char *kind, uint64_t offset, ssize_t result, bool durable) {
    if (result < 0) die(std::string(kind) + " " + path_);
    model_.wrote(kind, offset, 0, result, durable);
  }

  std::string path_;
  bool durable_;
  int fd_ = -1;
  FileModel model_;
};

// ---- the fixed sequence

void buffered(const std::string &dir) {
  File file(dir + "/buffered");
  for (const size_t size : {4096, 1, 511, 4097, 12345, 65536, 1048576 + 13, 4096, 4096, 3}) file.write(size);
  file.sync();
  for (int i = 0; i < 5; i++) file.write(4096);
  file.datasync();
}

void tiny(const std::string &dir) {
  File file(dir + "/tiny");
  file.write(100);
  file.sync();
}

void sparse(const std::string &dir) {
  std::minstd_rand random(7);
  File file(dir + "/sparse");
  for (int i = 0; i < 13; i++) file.pwrite(random() % (64 << 20), 1 + random() % 20000);
  file.sync();
}

void vectors(const std::string &dir) {
  File file(dir + "/vectors");
  file.writev({100, 4096, 7});
  file.writev({1, 1, 1});
  file.pwritev(1 << 20, {8192, 8192});
  file.pwritev(333, {10, 20, 30});
  file.pwritev2("pwritev2", 2 << 20, {5000}, 0);
  file.pwritev2("pwritev2 dsync", 3 << 20, {4096, 4096}, RWF_DSYNC);
  file.pwritev2("pwritev2 sync", (3 << 20) + 4096, {100}, RWF_SYNC);
  file.pwritev2("pwritev2 append", 0, {4096, 99}, RWF_APPEND);
  file.pwritev2("pwritev2 append", 0, {4096}, RWF_APPEND);
  file.writev2(777);
  file.sync();
}

void appended(const std::string &dir) {
  File file(dir + "/appended", O_APPEND);
  for (const size_t size : {5000, 1, 4096, 70000}) file.write(size);
  file.write_at(0, 123);
  file.sync();
}

void synchronous(const std::string &dir) {
  File data(dir + "/dsync", O_DSYNC);
  for (const size_t size : {4096, 1, 10000}) data.write(size);
  data.pwrite(50, 100);
  File all(dir + "/sync", O_SYNC);
  all.write(4096);
  all.writev({3, 8192});
  File append(dir + "/dsync-append", O_DSYNC | O_APPEND);
  append.write(300);
  append.write(5000);
}

void direct(const std::string &dir) {
  File file(dir + "/direct", O_DIRECT);
  for (const size_t size : {4096, 8192, 1 << 20, 4096}) file.write(size);
  file.pwrite(0, 4096);
  file.pwrite(8 << 20, 65536);
  file.writev({4096, 12288});
  File both(dir + "/direct-dsync", O_DIRECT | O_DSYNC);
  both.write(16384);
  File over(dir + "/direct-over");
  over.write(65536);
  over.direct_at(8192, 16384);
  over.pwrite(8192, 100);
  over.sync();
}

void piped(const std::string &dir) {
  File from(dir + "/source");
  from.write(32768);
  from.sync();
  File to(dir + "/piped");
  to.sendfile(from.fd(), 32768);
  to.sendfile(from.fd(), 5000);
  to.splice(1 << 20, 16384);
  to.splice(100, 4096);
  to.sync();
}

void rewritten(const std::string &dir) {
  File file(dir + "/rewritten");
  for (int i = 0; i < 3; i++) file.pwrite(0, 4096);
  file.pwrite(100, 50);
  file.pwrite(4000, 200);
  file.sync();
  file.pwrite(10, 20);
  file.pwrite(0, 8192);
  file.datasync();
}

void truncated(const std::string &dir) {
  File whole(dir + "/truncated");
  for (int i = 0; i < 5; i++) whole.write(8192);
  whole.truncate(16384);  // two stay, three go
  whole.sync();
  File all(dir + "/truncated-all");
  all.write(100000);
  all.pwrite(1 << 20, 1);
  all.truncate(0);
  all.pwrite(4096, 4096);
  all.sync();
  File part(dir + "/truncated-part");
  part.write(4 * 4096);
  part.truncate(2 * 4096);
  part.sync();
  File inside(dir + "/truncated-inside-a-page");
  inside.write(4096);
  inside.write(4096);
  inside.truncate(4196);
  inside.sync();
  File kept(dir + "/synced-then-truncated");
  kept.write(10000);
  kept.sync();
  kept.truncate(0);
}

void cut_out(const std::string &dir) {
  File hole(dir + "/hole");
  hole.write(1 << 20);
  hole.cut_out(FALLOC_FL_PUNCH_HOLE, 8192, 400000);
  hole.sync();
  File inside(dir + "/hole-inside-a-page");
  inside.write(4096);
  inside.write(4096);
  inside.cut_out(FALLOC_FL_PUNCH_HOLE, 100, 200);
  inside.sync();
  inside.write(4096);
  inside.cut_out(FALLOC_FL_PUNCH_HOLE, 0, 4096);  // of what is on the device
  inside.sync();
}

void unlinked(const std::string &dir) {
  File gone(dir + "/unlinked");
  gone.write(4096);
  gone.pwrite(1 << 20, 70001);
  gone.remove();
  File kept(dir + "/synced-then-unlinked");
  kept.write(4096);
  kept.sync();
  kept.write(4096);
  kept.remove();
}

void odd(const std::string &dir) {
  char *const pages =
      static_cast<char *>(mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (pages == MAP_FAILED || mprotect(pages + kPage, kPage, PROT_NONE) != 0) die("mmap");
  File file(dir + "/odd \"name\"\n\303\244");
  file.write_from("empty", buffer, 0);
  file.write_from("bad address", pages + kPage, 4096);
  file.write_from("half a bad address", pages, 2 * kPage);
  file.sync();
  file.write(4096);
  file.sync();
}

void fixed(const std::string &dir) {
  buffered(dir);
  tiny(dir);
  sparse(dir);
  vectors(dir);
  appended(dir);
  synchronous(dir);
  direct(dir);
  piped(dir);
  rewritten(dir);
  truncated(dir);
  cut_out(dir);
  unlinked(dir);
  odd(dir);
  File last(dir + "/last");
  while (!is_prime(ledger.size() + 4)) last.write(4096);
  last.sync();
  File dirty(dir + "/dirty");
  for (const size_t size : {4096, 1, 100000, 4096}) dirty.write(size);
  dirty.leave();
}

// ---- random

class Stress {
 public:
  Stress(std::string dir, unsigned seed) : dir_(std::move(dir)), random_(seed) {
    for (int i = 0; i < 4; i++) renew(i);
  }

  void run(size_t count) {
    while (ledger.size() < count) step();
    for (const auto &file : files_) file->leave();
  }

 private:
  uint64_t below(uint64_t n) { return random_() % n; }
  uint64_t offset() { return below(2 << 20); }
  size_t some() { return 1 + below(below(4) == 0 ? 200000 : 9000); }

  void renew(int slot) { files_[slot] = std::make_unique<File>(dir_ + "/" + std::to_string(++created_)); }

  void step() {
    const int slot = static_cast<int>(below(4));
    File &file = *files_[slot];
    switch (below(17)) {
      case 0:
        return file.sync();
      case 1:
        return file.datasync();
      case 2:
        return file.truncate(below(512) * kPage);
      case 3:
        return file.truncate(0);
      case 4:
        file.remove();
        return renew(slot);
      case 5:
        return file.direct_at(below(512) * 4096, (1 + below(16)) * 4096);
      case 6:
        return file.pwritev2("pwritev2 dsync", offset(), {some()}, RWF_DSYNC);
      case 7:
        return file.pwritev2("pwritev2 append", 0, {some(), some()}, RWF_APPEND);
      case 8:
        return file.writev({some(), some()});
      case 9:
        return file.pwritev(offset(), {some(), some(), some()});
      case 10:
        return file.splice(offset(), 1 + below(30000));
      case 11:
      case 12:
        return file.write(some());
      default:
        return file.pwrite(offset(), some());
    }
  }

  std::string dir_;
  std::minstd_rand random_;
  std::unique_ptr<File> files_[4];
  int created_ = 0;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2 && argc != 4) {
    fprintf(stderr, "usage: writer DIR [SEED COUNT]\n");
    return 2;
  }
  memset(buffer, 's', kBufferBytes);
  if (argc == 2)
    fixed(argv[1]);
  else
    Stress(argv[1], static_cast<unsigned>(atoi(argv[2]))).run(static_cast<size_t>(atoi(argv[3])));
  ledger.print();
}
