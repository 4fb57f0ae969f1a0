// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The baseline of scripts/bench: runs COMMAND while an empty program sits on each hook that a tool used, in the variant
// that it used there. HOOKS is what `strata TOOL -v` said on stderr; its lines "hook NAME: VARIANT (TARGET)" count.
//   attach EMPTY HOOKS COMMAND...
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_HOOKS 64  // empty.bpf.c has as many programs of each variant

struct hook {
  char name[64], variant[16], target[128];
  struct bpf_program *program;
};

static void die(const char *what, const char *which, int err) {
  fprintf(stderr, "attach: %s %s: %s\n", what, which, err ? strerror(err < 0 ? -err : err) : "unexpected");
  exit(125);
}

static int quiet(enum libbpf_print_level level, const char *format, va_list args) {
  (void)level, (void)format, (void)args;
  return 0;
}

static int read_hooks(const char *path, struct hook *hooks) {
  FILE *file = fopen(path, "r");
  char line[512];
  int n = 0;
  if (!file) die("cannot read", path, errno);
  while (n < MAX_HOOKS && fgets(line, sizeof(line), file)) {
    struct hook *h = &hooks[n];
    int got = sscanf(line, "hook %63[^:]: %15s (%127[^)])", h->name, h->variant, h->target);
    if (got >= 2 && !strcmp(h->variant, "not")) continue;  // "not used: ..."
    if (got == 2) die("no target for hook", h->name, 0);
    n += got == 3;
  }
  fclose(file);
  if (n == 0 || n == MAX_HOOKS) die("none or too many hooks in", path, 0);
  return n;
}

// The n-th hook has the program VARIANT_n, n in octal.
static void choose(struct bpf_object *object, struct hook *hooks, int count) {
  struct bpf_program *program;
  bpf_object__for_each_program(program, object) bpf_program__set_autoload(program, false);
  for (int n = 0; n < count; n++) {
    struct hook *h = &hooks[n];
    char name[32];
    snprintf(name, sizeof(name), "%s_%02o", h->variant, (unsigned)n);
    h->program = bpf_object__find_program_by_name(object, name);
    if (!h->program) die("no empty program", name, 0);
    bpf_program__set_autoload(h->program, true);
    if (bpf_program__type(h->program) != BPF_PROG_TYPE_TRACING) continue;
    int err = bpf_program__set_attach_target(h->program, 0, h->target);
    if (err) die("cannot find", h->target, err);
  }
}

static struct bpf_link *attach(struct hook *h) {
  if (!strcmp(h->variant, "raw")) return bpf_program__attach_raw_tracepoint(h->program, h->target);
  if (strstr(h->variant, "probe")) return bpf_program__attach_kprobe(h->program, h->variant[1] == 'r', h->target);
  return bpf_program__attach(h->program);
}

static int run(char **command) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    execvp(command[0], command);
    die("cannot run", command[0], errno);
  }
  if (pid < 0 || waitpid(pid, &status, 0) != pid) die("cannot wait for", command[0], errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv) {
  static struct hook hooks[MAX_HOOKS];
  if (argc < 4) return 2;
  libbpf_set_print(quiet);
  int count = read_hooks(argv[2], hooks);
  struct bpf_object *object = bpf_object__open_file(argv[1], NULL);
  if (!object) die("cannot open", argv[1], errno);
  choose(object, hooks, count);
  int err = bpf_object__load(object);
  if (err) die("cannot load", argv[1], err);
  for (int n = count - 1; n >= 0; n--) {  // in strata's order
    if (!attach(&hooks[n])) die("cannot attach to", hooks[n].target, errno);
  }
  return run(argv + 3);  // the end of the process detaches
}
