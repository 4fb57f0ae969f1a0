// The tree of all stacks, in arrays by node, each node before those that it calls. Its names are strangers': they are
// drawn, or set as text, and never become markup.

class Tree {
  constructor(room, runs) {
    this.size = 0;
    this.name = new Uint32Array(room);
    this.level = new Uint16Array(room);
    this.parent = new Int32Array(room);
    this.end = new Uint32Array(room); // behind all that it calls
    this.self = Array.from({length: runs}, () => new Float64Array(room));
    this.total = Array.from({length: runs}, () => new Float64Array(room));
    this.start = new Float64Array(room); // where its box begins, in the weight of the run that is drawn
    this.path = []; // the node of each level that was added last
  }

  // Nodes are added in order; `self` has a weight for each run.
  add(level, name, self) {
    const node = this.size++;
    this.name[node] = name;
    this.level[node] = level;
    this.parent[node] = level === 0 ? -1 : this.path[level - 1];
    for (let run = 0; run < self.length; run++) this.self[run][node] = self[run];
    this.path[level] = node;
  }

  finish() {
    for (let node = this.size - 1; node >= 0; node--) {
      const parent = this.parent[node];
      if (this.end[node] === 0) this.end[node] = node + 1;
      if (parent >= 0 && this.end[parent] === 0) this.end[parent] = this.end[node];
    }
    for (let run = 0; run < this.self.length; run++) {
      const total = this.total[run];
      total.set(this.self[run]);
      for (let node = this.size - 1; node > 0; node--) total[this.parent[node]] += total[node];
    }
    return this;
  }

  place(run) { // boxes side by side, as they stand in run 0 or 1
    const total = this.total[run];
    for (let node = 0; node < this.size; node++) {
      let at = this.start[node];
      for (let child = node + 1; child < this.end[node]; child = this.end[child]) {
        this.start[child] = at;
        at += total[child];
      }
    }
  }
}

// The part of the time that an address asks for.
const partOf = (words) => {
  const [from, to] = ["from", "to"].map((key) => Number.parseInt(words.get(key), 10));
  return from >= 0 && to > from ? {from, to} : null;
};

// What is left of a tree: places that nothing went through are not there.
const pruned = (tree) => {
  const left = new Tree(tree.size, tree.self.length);
  for (let node = 0; node < tree.size; node++)
    if (node === 0 || tree.total.some((total) => total[node] > 0))
      left.add(tree.level[node], tree.name[node], weightsOf(tree.self, node));
  return left.finish();
};

// As flame_html.cpp writes it; of `part` of the time alone, if there is one, in 1/32 of a second.
const decode = (bytes, part) => {
  let at = 0;
  const number = () => {
    let byte = bytes[at++];
    let value = byte & 127;
    for (let unit = 128; byte >= 128; unit *= 128) { // beyond 32 bits, which shifts do not reach
      byte = bytes[at++];
      value += (byte & 127) * unit;
    }
    return value;
  };
  const size = number();
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(at, at + size)));
  at += size;
  const tree = new Tree(head.nodes, head.differential ? 2 : 1);
  const levels = new Uint16Array(head.nodes);
  for (let node = 0, below = 0; node < head.nodes; node++, below++) levels[node] = below -= number();
  const calls = head.names.map(() => []); // the functions that each calls, in the order in which they come
  const path = [];
  for (let node = 0; node < head.nodes; node++) {
    const level = levels[node];
    const callees = level === 0 ? [] : calls[path[level - 1]];
    const which = number();
    if (which === 0) callees.push(number());
    path[level] = callees[which === 0 ? callees.length - 1 : which - 1];
    tree.add(level, path[level], []);
  }
  for (let node = 0; node < head.nodes; node++) for (const self of tree.self) self[node] = number();
  if (!part || !head.times) return {head, tree: tree.finish()};
  for (let node = 0; node < head.nodes; node++) {
    tree.self[0][node] = 0;
    for (let parts = number(), at32 = 0; parts > 0; parts--) {
      at32 += number();
      const weight = number();
      if (at32 >= part.from && at32 < part.to) tree.self[0][node] += weight;
    }
  }
  return {head, tree: pruned(tree.finish())};
};

const weightsOf = (arrays, node) => arrays.map((array) => array[node]);

// Makes a part of a new tree of many places of another: places of one name are one, the heaviest comes first. `list`
// has places and their weights. `next(place, weights, list)` adds to the list what follows a place, and returns the
// weights that end there; `alone(merged, level, place, weights)` adds a place that need not be merged, with all that
// follows it.
const spread = (tree, merged, level, list, next, alone) => {
  const last = tree.self.length - 1;
  const groups = new Map();
  for (const one of list) {
    const name = tree.name[one[0]];
    let group = groups.get(name);
    if (!group) groups.set(name, (group = {name, weight: 0, places: []}));
    group.places.push(one);
    group.weight += one[1][last];
  }
  const sorted = [...groups.values()].sort((a, b) => b.weight - a.weight || tree.rank[a.name] - tree.rank[b.name]);
  for (const {name, places} of sorted) {
    if (places.length === 1) {
      alone(merged, level, ...places[0]);
      continue;
    }
    const self = tree.self.map(() => 0);
    const followers = [];
    for (const [place, weights] of places) next(place, weights, followers).forEach((ends, run) => (self[run] += ends));
    merged.add(level, name, self);
    spread(tree, merged, level + 1, followers, next, alone);
  }
};

// Below each function who called it.
const spreadCallers = (tree, merged, level, list) => {
  const none = tree.self.map(() => 0);
  const next = (place, weights, followers) => {
    if (tree.parent[place] <= 0) return weights;
    followers.push([tree.parent[place], weights]);
    return none;
  };
  const alone = (to, at, place, weights) => {
    for (; tree.parent[place] > 0; place = tree.parent[place]) to.add(at++, tree.name[place], none);
    to.add(at, tree.name[place], weights);
  };
  spread(tree, merged, level, list, next, alone);
  return merged.finish();
};
const roomForCallers = (tree, list) => list.reduce((sum, [node]) => sum + tree.level[node], 1);

// All stacks, the innermost function first.
const leafFirst = (tree) => {
  const leaves = [];
  for (let node = 1; node < tree.size; node++)
    if (tree.self.some((self) => self[node] > 0)) leaves.push([node, weightsOf(tree.self, node)]);
  const merged = new Tree(roomForCallers(tree, leaves), tree.self.length);
  merged.add(0, tree.name[0], weightsOf(tree.self, 0));
  return spreadCallers(tree, merged, 1, leaves);
};

// Where a function is, but not within itself.
const outermost = (tree, name) => {
  const places = [];
  for (let node = 1; node < tree.size; node = tree.name[node] === name ? tree.end[node] : node + 1)
    if (tree.name[node] === name) places.push([node, weightsOf(tree.total, node)]);
  return places;
};

const callersOf = (tree, name) => {
  const places = outermost(tree, name);
  return spreadCallers(tree, new Tree(roomForCallers(tree, places), tree.self.length), 0, places);
};

const calleesOf = (tree, name) => {
  const places = outermost(tree, name);
  const merged = new Tree(places.reduce((sum, [node]) => sum + tree.end[node] - node, 0), tree.self.length);
  const next = (place, weights, followers) => {
    for (let child = place + 1; child < tree.end[place]; child = tree.end[child])
      followers.push([child, weightsOf(tree.total, child)]);
    return weightsOf(tree.self, place);
  };
  const alone = (to, level, place) => {
    for (let node = place; node < tree.end[place]; node++)
      to.add(level + tree.level[node] - tree.level[place], tree.name[node], weightsOf(tree.self, node));
  };
  spread(tree, merged, 0, places, next, alone);
  return merged.finish();
};

// Of each function what ends in it, and what goes through it, once where it calls itself. Those above the level `first`
// are no functions.
const hotFunctions = (tree, names, first) => {
  const runs = tree.self.length;
  const found = new Map();
  const open = new Uint32Array(names);
  const path = [];
  for (let node = 1; node < tree.size; node++) {
    if (tree.level[node] < first) continue;
    while (path.length > tree.level[node] - first) open[path.pop()]--;
    const name = tree.name[node];
    let one = found.get(name);
    if (!one) found.set(name, (one = {name, self: new Array(runs).fill(0), total: new Array(runs).fill(0)}));
    for (let run = 0; run < runs; run++) {
      one.self[run] += tree.self[run][node];
      if (open[name] === 0) one.total[run] += tree.total[run][node];
    }
    open[name]++;
    path.push(name);
  }
  return [...found.values()];
};
