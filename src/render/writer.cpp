// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where bytes leave the program.
#include "render/writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace strata {
namespace {

std::string directory_of(const std::string &file) {
  const size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : file.substr(0, slash + 1);
}

// /tmp and the like: a symbolic link there may be somebody else's, and lead to any file of ours.
bool in_shared_directory(const std::string &file) {
  struct stat status {};
  return stat(directory_of(file).c_str(), &status) == 0 && (status.st_mode & S_ISVTX) != 0 &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

// Not truncated: a run that is refused leaves the old file as it was. Arguments of programs and addresses of the kernel
// are nobody else's, so a new file is private, as perf's are.
Fd open_file(const std::string &file, NewFile &made) {
  const bool shared = in_shared_directory(file);
  Fd fd(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (fd)
    made = NewFile(file);
  else if (errno == EEXIST)
    fd = Fd(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (shared ? O_NOFOLLOW : 0), 0600));
  if (!fd && errno == ELOOP && shared) {
    throw Error("cannot write " + printable(file) +
                ": it is a symbolic link in a directory that others may write; name the file that it leads to");
  }
  if (!fd) throw system_error("cannot write " + printable(file));
  return fd;
}

Outlet open_output(const std::string &file, NewFile &made) {
  if (!file.empty()) return Outlet(open_file(file, made), true);
  Outlet outlet = outlet_of(STDOUT_FILENO);
  if (!outlet) throw system_error("cannot write standard output");
  return outlet;
}

}  // namespace

NewFile::~NewFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

Writer::Writer(const std::string &file)
    : outlet_(open_output(file, new_file_)), name_(file.empty() ? "standard output" : file), on_stdout_(file.empty()) {
  const char *no_color = getenv("NO_COLOR");
  terminal_ = isatty(outlet_.fd()) == 1 && (!no_color || !*no_color);
  if (file.ends_with(".gz")) gzip_.emplace();
}

void Writer::begin() {
  new_file_.keep();
  if (!on_stdout_ && regular_file() && ftruncate(outlet_.fd(), 0) != 0 && error_ == 0) error_ = errno;
}

void Writer::put(std::string_view bytes) {
  if (error_ == 0 && !std::exchange(begun_, true)) begin();
  if (error_ == 0) error_ = outlet_.write(bytes);
  file_bytes_ += bytes.size();
}

void Writer::flush() {
  if (held_) return;
  put(gzip_ ? gzip_->add(buffer_) : buffer_);
  buffer_.clear();
}

void Writer::close() {
  flush();
  if (gzip_ && !held_) put(gzip_->end());
  const int err = outlet_.close();
  if (error_ == 0) error_ = err;
}

void Writer::rotate() {
  close();
  if (error_ != 0) return;
  Fd fd;
  if (rename(name_.c_str(), (name_ + ".1").c_str()) == 0)
    fd = Fd(open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) {
    error_ = errno;
    return;
  }
  outlet_ = Outlet(std::move(fd), true);
  if (gzip_) gzip_.emplace();
  file_bytes_ = 0;
}

bool Writer::replaceable() const {
  struct stat named = {};  // a link, or one of a descriptor, leads to a file that is not ours to take the place of
  return !on_stdout_ && !gzip_ && lstat(name_.c_str(), &named) == 0 && S_ISREG(named.st_mode) && regular_file() &&
         regular_file() == FileId{named.st_dev, named.st_ino};
}

// By the directory as it was found: whoever may write above it might put another one in its place.
void Writer::replace(std::string_view text) {
  if (error_ != 0) return;
  if (!directory_) directory_ = Fd(open(directory_of(name_).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const std::string place = "/proc/self/fd/" + std::to_string(directory_.get()) + "/";
  const std::string file = place + name_.substr(name_.rfind('/') + 1);
  std::string beside = place + ".strata.XXXXXX";
  Fd fd(directory_ ? mkostemp(beside.data(), O_CLOEXEC) : -1);
  if (!fd) return fail(errno);
  if (!copy_owner(fd, static_cast<bool>(new_file_))) fail(errno);
  Outlet outlet(std::move(fd), true);
  if (error_ == 0) error_ = outlet.write(text);
  if (error_ == 0 && rename(beside.c_str(), file.c_str()) != 0) error_ = errno;
  if (error_ != 0) {
    unlink(beside.c_str());
    return;
  }
  new_file_.keep();
  begun_ = true;
  outlet_ = std::move(outlet);
}

// The file's mode, and its owner where that is permitted; those of a new one are as of what is not secret.
bool Writer::copy_owner(const Fd &to, bool is_new) const {
  struct stat old = {};
  if (fstat(outlet_.fd(), &old) != 0) return false;
  if (!is_new && fchmod(to.get(), old.st_mode & 0777) != 0) return false;
  if (!is_new) return fchown(to.get(), old.st_uid, old.st_gid) == 0 || errno == EPERM;
  const mode_t mask = umask(0);
  umask(mask);
  return fchmod(to.get(), 0644 & ~mask) == 0;
}

void print(std::string_view text) {
  Writer out("");
  out.write(text);
  out.close();
  if (out.error() != 0 && out.error() != EPIPE) throw system_error("cannot write standard output", out.error());
}

}  // namespace strata
