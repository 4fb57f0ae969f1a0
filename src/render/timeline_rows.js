// The picture of the samples: a row for each, a lane for each layer, all from their start. Only what is seen is drawn,
// so that ten thousand rows are as quick as ten.

// Where a time is drawn. A place is a time, "lin", or its logarithm, "log": linear below 100 ns, so that 0 has a place.
// "broken" shows each hop by the logarithm of what it took: a place is a sum of those, and what comes after a wait of
// half a minute is as long as what came before it.
const roundTime = (ns) => timeText(ns).replace(/\.0+(?=\D)/, "");
const logOf = (time) => Math.log10(1 + Math.max(0, time) / 100);

class TimeAxis {
  constructor(samples) {
    this.longest = Math.max(samples.longest, 10);
    this.sums = samples.all.reduce((most, one) => Math.max(most, one.hops.reduce((sum, hop) => sum + logOf(hop[1]), 0)), 0.1);
    this.left = 0;
    this.width = 1;
    this.use("broken");
  }

  use(scale) {
    this.scale = scale;
    this.whole();
  }
  to(time) {
    return this.scale === "log" ? logOf(time) : time;
  }
  from(place) {
    return this.scale === "log" ? (10 ** place - 1) * 100 : place;
  }
  x(place) {
    return this.left + ((place - this.begin) / (this.end - this.begin)) * this.width;
  }
  times() {
    return [this.from(this.begin), this.from(this.end)];
  }
  get most() {
    return (this.scale === "broken" ? this.sums : this.to(this.longest)) * 1.02;
  }

  whole() {
    [this.begin, this.end] = [0, this.most];
  }
  show(from, to) {
    this.place(this.to(from), this.to(to));
  }
  place(begin, end) {
    const size = Math.min(end - begin, this.most);
    const at = Math.min(Math.max(0, begin), this.most - size);
    const least = this.scale === "broken" ? 0.01 : 9.99; // nanoseconds
    if (this.from(at + size) - this.from(at) >= least) [this.begin, this.end] = [at, at + size];
  }
  zoom(factor, x) {
    const at = this.begin + ((x - this.left) / this.width) * (this.end - this.begin);
    this.place(at - (at - this.begin) * factor, at + (this.end - at) * factor);
  }
  pan(pixels) {
    const by = (pixels / this.width) * (this.end - this.begin);
    this.place(this.begin + by, this.end + by);
  }

  // Lines, with or without a text. What many digits would have in common is said once, as the base.
  ticks() {
    const [from, to] = this.times();
    const lines = [];
    if (this.scale === "broken") return {lines, base: ""};
    if (this.scale === "log" && to > 20 * Math.max(from, 100)) {
      for (let ten = 100; ten <= to; ten *= 10)
        for (let time = ten; time < 10 * ten && time <= to; time += ten)
          if (time >= from) lines.push([time, time === ten ? roundTime(time) : ""]);
      if (from === 0) lines.unshift([0, "0"]);
      return {lines, base: ""};
    }
    const least = ((to - from) / this.width) * 90;
    const ten = 10 ** Math.floor(Math.log10(least));
    const step = Math.max(1, [1, 2, 5, 10].map((times) => times * ten).find((one) => one >= least));
    const first = Math.ceil(from / step) * step;
    const common = first > 1e4 * step;
    for (let time = first; time <= to; time += step) lines.push([time, (common ? "+" : "") + this.exact(common ? time - first : time, step)]);
    return {lines, base: common ? this.exact(first, step) : ""};
  }
  exact(time, step) {
    const [unit, name] = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]].find(([size]) => time >= size) || [1, "ns"];
    return time === 0 ? "0" : (time / unit).toFixed(Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9))).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "") + name;
  }
}

const FONT = "system-ui,'DejaVu Sans',sans-serif";

class Rows {
  constructor(canvas, samples, axis) {
    Object.assign(this, {canvas, samples, axis, pen: canvas.getContext("2d"), shown: samples.all, dense: false});
    this.selected = this.hop = undefined; // a sample, and the number of a hop of it
    this.top = 0; // px that are above
  }

  get head() {
    return 26; // the axis
  }
  get height() {
    return this.dense ? 6 : Math.max(32, 5 * this.samples.lanes.length + 10);
  }

  size(width, height) {
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = width + "px";
    this.canvas.style.height = height + "px";
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.width = width;
    this.tall = height;
    this.axis.left = width < 600 ? 76 : 190;
    this.axis.width = Math.max(50, width - this.axis.left - 12);
  }

  // Calls with each hop but the first: the place and the time of the one before, its own, and its lane.
  segments(sample, each) {
    const {axis, samples} = this;
    const broken = axis.scale === "broken";
    let time = 0;
    let place = 0;
    sample.hops.forEach((hop, i) => {
      const [from, before] = [place, time];
      time += hop[1];
      place = broken ? place + logOf(hop[1]) : axis.to(time);
      if (i > 0) each(i, from, place, before, time, samples.kindLane[hop[0]]);
    });
  }

  // Where the sample ends, and where its application went on.
  ends(sample) {
    const {axis} = this;
    if (axis.scale !== "broken") return [axis.to(Math.min(sample.seen, sample.total)), axis.to(sample.total)];
    let seen = 0;
    let all = 0;
    this.segments(sample, (i, from, to, before, time) => {
      if (time <= sample.seen) seen = to;
      all = to;
    });
    return [seen, all];
  }

  lanePlace(lane, y) {
    return this.dense ? [y, this.height - 1] : [y + 5 + lane * 5, 4];
  }

  draw(colour) {
    const {pen, axis, width, tall, height} = this;
    pen.globalAlpha = 1;
    pen.fillStyle = colour("back");
    pen.fillRect(0, 0, width, tall);
    pen.textBaseline = "middle";
    const colours = this.samples.lanes.map((lane) => colour("l" + lane.colour));
    const first = Math.max(0, Math.floor(this.top / height));
    const last = Math.min(this.shown.length, Math.ceil((this.top + tall) / height));
    const right = axis.left + axis.width;
    const within = (x) => Math.min(Math.max(x, axis.left), right);
    const {lines, base} = axis.ticks();
    const end = Math.min(tall, this.head + this.shown.length * height - this.top);
    for (const [time, text] of lines) {
      pen.fillStyle = colour("line");
      pen.globalAlpha = text ? 0.9 : 0.35;
      pen.fillRect(Math.round(axis.x(axis.to(time))), this.head, 1, end - this.head);
    }
    pen.globalAlpha = 1;
    for (let row = first; row < last; row++) {
      const sample = this.shown[row];
      const y = this.head + row * height - this.top;
      const [zero, seen, total] = [0, ...this.ends(sample)].map((place) => within(axis.x(place)));
      if (sample === this.selected) {
        pen.fillStyle = colour("chosen");
        pen.fillRect(0, y, width, height);
        pen.fillStyle = colour("accent");
        pen.fillRect(0, y, 3, height);
      }
      if (!this.dense) {
        pen.fillStyle = colour("line");
        pen.globalAlpha = 0.5;
        pen.fillRect(0, y + height - 1, width, 1);
        pen.fillStyle = colour("dim"); // what the application waited for, and then what it did not
        pen.globalAlpha = 0.2;
        pen.fillRect(zero, y + 3, seen - zero, height - 6);
        pen.globalAlpha = 0.07;
        pen.fillRect(seen, y + 3, total - seen, height - 6);
        pen.globalAlpha = 1;
      }
      pen.font = "10px " + FONT;
      this.segments(sample, (i, from, to, before, time, lane) => {
        const to_x = axis.x(to);
        if (to_x < axis.left || axis.x(from) > right) return;
        const [top, tallness] = this.lanePlace(lane, y);
        const begin = within(axis.x(from));
        const size = Math.max(1, within(to_x) - begin);
        pen.fillStyle = colours[lane];
        pen.fillRect(begin, top, size > 3 ? size - 0.7 : size, tallness);
        if (size > 46 && !this.dense) { // in its column is nothing else
          pen.fillStyle = colour("dim");
          const name = this.samples.lanes[lane].name + " ";
          pen.fillText((size > 6 * name.length + 46 ? name : "") + timeText(time - before), begin + 2, top + (top + 2 < y + height / 2 ? 10.5 : -6));
        }
        if (sample !== this.selected || i !== this.hop) return;
        pen.strokeStyle = colour("text");
        pen.lineWidth = 1.5;
        pen.strokeRect(begin - 2, top - 2, size + 4, tallness + 4);
      });
      if (!this.dense) this.drawName(sample, y, colour);
    }
    this.drawAxis(lines, base, colour);
  }

  drawName(sample, y, colour) {
    const {pen, axis, height} = this;
    const good = sample.outcome[2] === 1;
    pen.font = "600 12px " + FONT;
    pen.fillStyle = colour(good ? "text" : "loss");
    pen.fillText(timeText(sample.total), 10, y + height / 2 - 6);
    pen.font = "11px " + FONT;
    const room = Math.floor((axis.left - 24) / 6.1);
    const id = "#" + sample.id;
    const name = String(this.samples.value(sample, "file") ?? this.samples.value(sample, "peer") ?? "");
    pen.fillStyle = colour(good ? "dim" : "loss");
    const under = good ? name : sample.outcome[1];
    const short = under.length > room ? (good ? "\u2026" + under.slice(1 - room) : under.slice(0, room - 1) + "\u2026") : under;
    pen.fillText(room < 12 && good ? id : short, 10, y + height / 2 + 8, axis.left - 20);
    if (room < 12) return;
    pen.fillStyle = colour("dim");
    pen.textAlign = "right";
    pen.fillText(id, axis.left - 12, y + height / 2 - 6);
    pen.textAlign = "left";
  }

  drawAxis(lines, base, colour) {
    const {pen, axis} = this;
    pen.fillStyle = colour("bar");
    pen.fillRect(0, 0, this.width, this.head);
    pen.fillStyle = colour("line");
    pen.fillRect(0, this.head - 1, this.width, 1);
    pen.font = "11px " + FONT;
    pen.fillStyle = colour("dim");
    const about = {log: "since the start, log", lin: "since the start", broken: "hop by hop"}[axis.scale];
    pen.fillText(base || about, 10, this.head / 2, axis.left - 16);
    if (axis.scale === "broken") pen.fillText("each hop by the logarithm of what it took", axis.left + 3, this.head / 2, axis.width);
    let free = axis.left - 8;
    for (const [time, text] of lines) {
      const x = axis.x(axis.to(time));
      const size = pen.measureText(text).width;
      if (!text || x - 3 < free || x + size + 3 > this.width) continue;
      pen.fillText(text, x + 3, this.head / 2);
      free = x + size + 12;
    }
  }

  // The sample at a place of the canvas, and its hop, if there is one.
  at(x, y) {
    const row = Math.floor((y - this.head + this.top) / this.height);
    const sample = y < this.head ? undefined : this.shown[row];
    if (!sample) return undefined;
    let best;
    let distance = 4;
    this.segments(sample, (i, from, to, before, time, lane) => {
      const aside = Math.max(this.axis.x(from) - x, x - this.axis.x(to), 0);
      const [top, tall] = this.lanePlace(lane, this.head + row * this.height - this.top);
      const away = aside + (y < top - 1 || y > top + tall + 1 ? 2 : 0);
      if (aside < 4 && away < distance) [best, distance] = [{i, from, to, took: time - before, at: time}, away];
    });
    return {sample, row, hop: x < this.axis.left ? undefined : best};
  }
}
