// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Calls functions N times, whose arguments are of each kind that a calling convention tells apart: for what strata
// knows of them by DWARF.
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum color { RED = 1, GREEN, BLUE = -7 };
using paint = enum { MATT, GLOSSY = 5 };

struct inner {
  int number;
  char name[16];
};

union both {
  unsigned long whole;
  unsigned char bytes[8];
};

struct opaque;  // which this unit does not know

struct node {
  node *next;
  inner in;
  const char *text;
  both u;
  unsigned low : 3;
  int middle : 7;
  paint coat;
  int grid[2][3];
  opaque *hidden;
  struct {
    int unnamed;
  };
};
using node_t = node;

struct pair {
  int x, y;
};

struct large {
  long values[3];
  char tag[8];
};

struct base {
  int sides = 0;
  static int made;
};
int base::made = 0;

struct square : base {
  [[gnu::noinline]] int area(int times) const;
  int edge = 0;
};

// C++ passes its address.
struct text {
  explicit text(const char *from) : length(strlen(from)) {}
  text(const text &other) : length(other.length) {}
  ~text() { length = 0; }
  unsigned long length;
};

static volatile double sink;

// A compiler leaves out what it sees that nobody reads.
static void look_at(const void *memory) { asm volatile("" : : "r"(memory) : "memory"); }

int square::area(int times) const {
  look_at(this);
  return edge * edge * times;
}

extern "C" {
[[gnu::noinline]] void visit(const node_t *n, int count, char letter, const char *words, double weight, bool on,
                             color c) {
  look_at(n);
  look_at(n->next);
  sink = sink + n->in.number + count + letter + words[0] + weight + on + static_cast<int>(c);
}

[[gnu::noinline]] void by_value(pair p, large l, int after, float f, long double wide, signed char a, int b, int c,
                                int d, short last) {
  look_at(&l);
  sink = sink + p.x + static_cast<double>(l.values[1]) + after + f + static_cast<double>(wide) + a + b + c + d + last;
}

[[gnu::noinline]] large make(int from) { return {.values = {from, from + 1, from + 2}, .tag = "made"}; }

[[gnu::noinline]] void take(text whole, int behind) {
  look_at(&whole);
  sink = sink + static_cast<double>(whole.length) + behind;
}

[[gnu::noinline]] void nothing() { sink = sink + 1; }
}

int main(int argc, char **argv) {
  const int times = argc == 2 ? atoi(argv[1]) : 0;
  if (times <= 0) {
    fprintf(stderr, "usage: arguments N\n");
    return 2;
  }
  node second = {}, first = {};
  first.next = &second;
  first.in.number = 1009;
  second.in.number = 2003;
  strcpy(first.in.name, "first");
  strcpy(second.in.name, "second");
  first.text = "its text";
  first.u.whole = 0x0807060504030201;
  first.low = 5;
  first.middle = -3;
  first.coat = GLOSSY;
  first.grid[1][2] = 6;
  first.unnamed = 9;
  square four;
  four.sides = 4;
  four.edge = 3;
  for (int i = 1; i <= times; i++) {
    visit(&first, i, 'x', "hello", 1.5, i % 2 == 0, i % 2 == 0 ? GREEN : BLUE);
    by_value({.x = i, .y = 2}, {.values = {3, 4, i}, .tag = "large"}, -6, 7.5F, 8.5L, -1, 10, 11, 12, -13);
    sink = sink + static_cast<double>(make(i).values[1]) + four.area(i);
    take(text("four"), i);
    nothing();
  }
  return 0;
}
