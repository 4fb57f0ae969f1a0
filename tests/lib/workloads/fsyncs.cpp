// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program that knows what each of its fsyncs has to write, the second opinion for `strata follow fsync`.
//   fsyncs DIR           a fixed sequence of fsyncs of every kind, in new files of DIR
//   fsyncs DIR together  COUNT times a thread starts to write 8 MiB, and fsync comes while they are under way: first of
//                        the same file, then of another one
// Prints a line for each fsync, at its end. What the journal has to write depends on the file system, which is asked.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

const auto kPage = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
constexpr uint64_t kMuch = 8 << 20;
constexpr int kTogether = 13;
char *const buffer = static_cast<char *>(aligned_alloc(4096, kMuch));
std::string lines;
int n_fsyncs = 0;

[[noreturn]] void die(const std::string &what) {
  fprintf(stderr, "fsyncs: %s: %s\n", what.c_str(), strerror(errno));
  exit(1);
}

std::string block_device(dev_t dev) {
  char target[512];
  const std::string link = "/sys/dev/block/" + std::to_string(major(dev)) + ":" + std::to_string(minor(dev));
  const ssize_t n = readlink(link.c_str(), target, sizeof(target));
  const std::string path(target, n > 0 ? static_cast<size_t>(n) : 0);
  return path.substr(path.rfind('/') + 1);
}

bool has_jbd2(const std::string &device) {
  DIR *dir = opendir("/proc/fs/jbd2");
  bool found = false;
  while (const dirent *entry = dir != nullptr ? readdir(dir) : nullptr)
    found |= strncmp(entry->d_name, (device + "-").c_str(), device.size() + 1) == 0;
  if (dir != nullptr) closedir(dir);
  return found;
}

uint64_t block_bytes(const std::string &dir) {
  struct statfs fs = {};
  if (statfs(dir.c_str(), &fs) != 0) die(dir);
  return static_cast<uint64_t>(fs.f_bsize);
}

// ext4, xfs, btrfs; "ext4 without a journal"
std::string file_system(const std::string &dir) {
  struct statfs fs = {};
  struct stat st = {};
  if (statfs(dir.c_str(), &fs) != 0 || stat(dir.c_str(), &st) != 0) die(dir);
  const auto magic = static_cast<uint32_t>(fs.f_type);
  if (magic == 0xef53) return has_jbd2(block_device(st.st_dev)) ? "ext4" : "ext4 without a journal";
  return magic == 0x58465342 ? "xfs" : magic == 0x9123683e ? "btrfs" : "another";
}

// Flush requests of the device so far; -1 where it does not count them.
long long flushes(dev_t dev) {
  FILE *stat = fopen(("/sys/class/block/" + block_device(dev) + "/stat").c_str(), "r");
  long long value = 0, n = 0;
  if (stat == nullptr) return -1;
  while (n < 16 && fscanf(stat, "%lld", &value) == 1) ++n;
  fclose(stat);
  return n == 16 ? value : -1;
}

class File {
 public:
  File(std::string path, int flags) : path_(std::move(path)), fd_(open(path_.c_str(), flags, 0600)) {
    if (fd_ < 0) die(path_);
  }
  explicit File(const std::string &path) : File(path, O_RDWR | O_CREAT | O_EXCL) {}
  ~File() { close(fd_); }
  File(const File &) = delete;

  [[nodiscard]] int fd() const { return fd_; }
  void write(uint64_t at, uint64_t size) const {
    if (pwrite(fd_, buffer, size, static_cast<off_t>(at)) != static_cast<ssize_t>(size)) die(path_);
  }
  void start_writeback() const {
    if (sync_file_range(fd_, 0, 0, SYNC_FILE_RANGE_WRITE) != 0) die(path_);
  }
  // `own`: bytes of the file that it has to write; `journal`: none, some or any; `ordered`: bytes of other files.
  void sync(const char *kind, uint64_t own, const char *journal, uint64_t ordered = 0, bool data_only = false) const {
    struct stat st = {};
    if (fstat(fd_, &st) != 0) die(path_);
    const long long before = flushes(st.st_dev);
    if ((data_only ? fdatasync(fd_) : fsync(fd_)) != 0) die(path_);
    char line[1024];
    snprintf(line, sizeof(line),
             R"({"n":%d,"kind":"%s","call":"%s","file":"%s","own_bytes":%llu,"journal":"%s","ordered_bytes":%llu,)"
             R"("flushed":%s})"
             "\n",
             ++n_fsyncs, kind, data_only ? "fdatasync" : "fsync", path_.c_str(), static_cast<unsigned long long>(own),
             journal, static_cast<unsigned long long>(ordered), flushes(st.st_dev) > before ? "true" : "false");
    lines += line;
  }

 private:
  std::string path_;
  int fd_;
};

void in_another_process(const File &file) {
  const pid_t child = fork();
  if (child == 0) {
    file.write(0, 3 * kPage);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) die("the other process");
}

void each_kind(const std::string &dir) {
  const std::string fs = file_system(dir);
  const char *const some = fs == "ext4 without a journal" ? "any" : "some";
  const char *const in_place = fs == "ext4" || fs == "xfs" ? "none" : "any";
  const File file(dir + "/file"), other(dir + "/other");
  other.write(0, kPage);
  other.sync("new", kPage, some);
  file.write(0, 16 * kPage);
  file.sync("new", 16 * kPage, some);
  file.sync("clean", 0, some == std::string("any") ? "any" : "none");  // others share the blocks of inodes
  file.write(4 * kPage, 2 * kPage);
  file.sync("overwritten", 2 * kPage, in_place, 0, true);
  in_another_process(file);
  file.sync("by another process", 3 * kPage, some);
  // ext4 writes the rest of a block that was cut with the transaction that cut it.
  if (ftruncate(other.fd(), 100) != 0) die("ftruncate");
  file.write(16 * kPage, kPage);
  file.sync("with another file", kPage, some, fs == "ext4" ? block_bytes(dir) : 0);
  const File directory(dir, O_RDONLY | O_DIRECTORY);
  const File third(dir + "/third");
  directory.sync("directory", 0, some);
}

void together(const std::string &dir) {
  for (int i = 0; i < kTogether; ++i) {
    const File file(dir + "/much" + std::to_string(i)), other(dir + "/other" + std::to_string(i));
    file.write(0, kMuch);
    std::thread([&] { file.start_writeback(); }).join();
    file.sync("same file", 0, "any");
    file.write(kMuch, kMuch);
    std::thread([&] { file.start_writeback(); }).join();
    if (fchmod(other.fd(), 0640) != 0) die("fchmod");  // no data of its own, which would come behind those
    other.sync("other file", 0, "any");
  }
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  memset(buffer, 's', kMuch);
  argc > 2 ? together(argv[1]) : each_kind(argv[1]);
  fputs(lines.c_str(), stdout);
}
