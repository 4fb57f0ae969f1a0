// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Makes a device of the device mapper that is all of one below it, one to one: `linear NAME DEVICE`. Prints its path.
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

void check(bool right, const char *what) {
  if (right) return;
  perror(what);
  exit(1);
}

struct Request {
  dm_ioctl head;
  dm_target_spec target;
  char words[64];
};

Request request_of(const char *name) {
  Request request = {};
  request.head.version[0] = DM_VERSION_MAJOR;
  request.head.data_size = sizeof(request);
  request.head.data_start = offsetof(Request, target);
  strncpy(request.head.name, name, sizeof(request.head.name) - 1);
  return request;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const int control = open("/dev/mapper/control", O_RDWR), below = open(argv[2], O_RDONLY);
  check(control >= 0, "/dev/mapper/control");
  check(below >= 0, argv[2]);
  uint64_t bytes = 0;
  struct stat disk;
  check(ioctl(below, BLKGETSIZE64, &bytes) == 0 && fstat(below, &disk) == 0, argv[2]);
  close(below);

  Request device = request_of(argv[1]);
  check(ioctl(control, DM_DEV_CREATE, &device) == 0, "DM_DEV_CREATE");
  Request table = request_of(argv[1]);
  table.head.target_count = 1;
  table.target.length = bytes / 512;
  strcpy(table.target.target_type, "linear");
  snprintf(table.words, sizeof(table.words), "%u:%u 0", major(disk.st_rdev), minor(disk.st_rdev));
  check(ioctl(control, DM_TABLE_LOAD, &table) == 0, "DM_TABLE_LOAD");
  Request resume = request_of(argv[1]);
  check(ioctl(control, DM_DEV_SUSPEND, &resume) == 0, "DM_DEV_SUSPEND");
  printf("/dev/dm-%u\n", minor(device.head.dev));
}
