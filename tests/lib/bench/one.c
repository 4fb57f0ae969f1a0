// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Part dd of scripts/bench: one program of a BPF object on its hook, while COMMAND runs, or until it is killed.
//   one OBJECT PROGRAM [COMMAND...]
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what, const char *which) {
  fprintf(stderr, "one: cannot %s %s: %s\n", what, which, strerror(errno));
  exit(125);
}

static int quiet(enum libbpf_print_level level, const char *format, va_list args) {
  (void)level, (void)format, (void)args;
  return 0;
}

static int run(char **command) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    execvp(command[0], command);
    die("run", command[0]);
  }
  if (pid < 0 || waitpid(pid, &status, 0) != pid) die("wait for", command[0]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  libbpf_set_print(quiet);
  struct bpf_object *object = bpf_object__open_file(argv[1], NULL);
  if (!object) die("open", argv[1]);
  struct bpf_program *program, *wanted = bpf_object__find_program_by_name(object, argv[2]);
  if (!wanted) die("find", argv[2]);
  bpf_object__for_each_program(program, object) bpf_program__set_autoload(program, program == wanted);
  if (bpf_object__load(object)) die("load", argv[2]);
  if (!bpf_program__attach(wanted)) die("attach", argv[2]);
  if (argc > 3) return run(argv + 3);
  for (;;) pause();
}
