// Samples as timeline.cpp writes them, and what can be computed of them. Names are strangers': they are drawn, or set
// as text, and never become markup.

class Histogram { // of src/model/histogram.h
  constructor() {
    this.slots = [];
    this.count = this.sum = this.max = 0;
  }

  add(value) {
    let top = value;
    let shift = 0;
    for (; top >= 32; shift++) top = Math.floor(top / 2);
    const slot = 16 * shift + top;
    this.slots[slot] = (this.slots[slot] || 0) + 1;
    this.count++;
    this.sum += value;
    this.max = Math.max(this.max, value);
  }

  static low(slot) {
    return slot < 16 ? slot : (16 + (slot % 16)) * 2 ** (Math.floor(slot / 16) - 1);
  }

  percentile(p) {
    const wanted = Math.max(1, Math.ceil(((p * this.count) / 100) * (1 - 1e-12)));
    let passed = 0;
    for (let slot = 0; slot < this.slots.length; slot++) {
      passed += this.slots[slot] || 0;
      if (passed >= wanted) return Math.min(Histogram.low(slot + 1) - 1, this.max);
    }
    return this.max;
  }
}

class Samples {
  constructor(text) {
    const all = JSON.parse(text);
    const [about, outcomes, columns, texts, kinds, tasks] = all.splice(-6);
    Object.assign(this, {about, outcomes, columns, texts, kinds, tasks});
    const depths = new Map([...about.layers, ...(about.rest ? about.rest.layers : [])].map(([name, , depth]) => [name, depth]));
    for (const [, , name] of kinds) if (!depths.has(name)) depths.set(name, 100 + depths.size); // of the first hop alone
    const lanes = [...depths].sort((a, b) => a[1] - b[1]);
    this.lanes = lanes.map(([name, depth]) => ({name, colour: depth % 10}));
    this.laneOf = new Map(lanes.map(([name], lane) => [name, lane]));
    this.kindLane = kinds.map(([, , name]) => this.laneOf.get(name));
    this.all = all.map(([id, outcome, reason, start, seen, total, fields, ...hops], number) =>
      ({number, id, outcome: outcomes[outcome], reason, start, seen, total, raw: fields, hops}));
    this.longest = this.all.reduce((most, one) => Math.max(most, one.total), 0);
  }

  // [column, text or number] of each; `from`: how many other numbers the list begins with.
  fields(list, from) {
    const found = [];
    for (let i = from; i < list.length; i++) {
      if (list[i] >= 0) found.push([this.columns[this.texts[list[i]][0]], this.texts[list[i]][1]]);
      else found.push([this.columns[-1 - list[i]], list[++i]]);
    }
    return found;
  }

  value(sample, key) {
    const found = this.fields(sample.raw, 1).find(([[name]]) => name === key);
    return found ? found[1] : undefined;
  }

  words([[, label, unit], value]) {
    const text = typeof value === "string" || unit === 0 ? String(value) : unit === 1 ? timeText(value) : bytesText(value);
    return (label ? label + " " : "") + text;
  }

  task(hop) {
    return this.tasks[hop[3]].join("/") + " cpu " + hop[2];
  }

  // All that is known of a sample, for the search.
  text(sample) {
    if (sample.text === undefined) {
      const words = (list, from) => this.fields(list, from).map((field) => this.words(field));
      const parts = [sample.outcome[1], sample.reason, ...words(sample.raw, 1)];
      for (const hop of sample.hops) parts.push(...this.kinds[hop[0]].slice(0, 2), this.task(hop), ...words(hop, 4));
      sample.text = "sample " + sample.id + " " + [...new Set(parts)].join("  ");
    }
    return sample.text;
  }

  // Hops of one layer in a row are one visit, as for the summary (src/follow/collector.cpp).
  visits(sample, visit) {
    let time = 0;
    for (let i = 1; i < sample.hops.length; i++) {
      const hop = sample.hops[i];
      const [, , layer, behind] = this.kinds[hop[0]];
      const next = sample.hops[i + 1] && this.kinds[sample.hops[i + 1][0]];
      time += hop[1];
      if (next && next[2] === layer && next[3] === behind) continue;
      visit(layer, behind, time);
      time = 0;
    }
  }

  // [{layer, behind, ns: Histogram}], in the order of the summary.
  layers(samples) {
    const found = new Map();
    const add = (layer, behind, time) => {
      const key = behind * 1000 + this.laneOf.get(layer);
      if (!found.has(key)) found.set(key, {layer, behind, ns: new Histogram()});
      found.get(key).ns.add(time);
    };
    for (const sample of samples) this.visits(sample, add);
    return [...found].sort((a, b) => a[0] - b[0]).map(([, one]) => one);
  }
}

// As the summary has it: layer, behind, depth, count, p50, p90, p99, max, sum.
const summaryOf = ({layer, behind, ns}) =>
  [layer, behind, 0, ns.count, ns.percentile(50), ns.percentile(90), ns.percentile(99), ns.max, ns.sum];
