// What is shown follows from the fragment of the address alone: q search, layer, outcome, process, file and other
// columns, sort, scale, dense rows, x time that is seen, h what is chosen in the heat map, id sample that is open.
// So a reload, a bookmark and Back keep it, and a view can be sent to somebody.
(() => {
  const $ = (id) => document.getElementById(id);
  const samples = new Samples($("data").textContent);
  const {about} = samples;
  const axis = new TimeAxis(samples);
  const canvas = $("rows");
  const rows = new Rows(canvas, samples, axis);
  const tip = $("tip");
  const KEYS = ["q", "layer", "sort", "scale", "dense", "x", "h", "id"];
  const SCALES = ["", "log", "lin"]; // "" is hop by hop
  const MOST_WORDS = 300; // of a list to choose from: the search finds the others

  let style;
  const colour = (name) => style.getPropertyValue("--" + name);
  const clock = (start) => {
    const us = Math.floor((((about.day_ns + start) % 864e11) + 864e11) / 1000) % 864e8;
    const two = (number) => String(Math.floor(number)).padStart(2, "0");
    return two(us / 36e8) + ":" + two((us / 6e7) % 60) + ":" + two((us / 1e6) % 60) + "." + String(us % 1e6).padStart(6, "0");
  };
  const number = (count, one) => count.toLocaleString("en") + " " + one + (count === 1 ? "" : "s");

  // ---- what a sample can be chosen by: its outcome, the task, and each column of words that has more than one
  const choices = new Map(); // key: {label, of: a word for each sample}
  const choice = (key, label) => {
    if (!choices.has(key)) choices.set(key, {label, of: []});
    return choices.get(key).of;
  };
  for (const sample of samples.all) {
    choice("outcome", "outcome")[sample.number] = sample.outcome[1];
    const task = [];
    for (const [[key, label, , hidden], value] of samples.fields(sample.raw, 1)) {
      if (key === "comm" || key === "tgid") task.push(value);
      else if (!hidden && typeof value === "string") choice(key, label || key.replace(/_/g, " "))[sample.number] = value;
    }
    if (task.length > 0) choice("process", "process")[sample.number] = task.join("/");
  }

  // ---- state
  let state = {};
  const fragment = (of) => {
    const words = new URLSearchParams();
    for (const [key, value] of Object.entries(of)) if (value) words.set(key, value);
    return "#" + words;
  };
  const read = () => {
    const words = new URLSearchParams(location.hash.slice(1));
    const state = Object.fromEntries([...KEYS, ...choices.keys()].map((key) => [key, words.get(key) || ""]));
    return {...state, scale: SCALES.includes(state.scale) ? state.scale : ""};
  };
  const go = (change, {quietly = false} = {}) => {
    const to = fragment({...state, ...change});
    if (to === fragment(state)) return;
    if (quietly) location.replace(to);
    else location.hash = to;
    apply();
  };
  const swap = (key, value = "1") => go({[key]: state[key] === value ? "" : value});

  // ---- which samples, and in which order
  const expressionOf = (text) => {
    const between = text.match(/^\/(.+)\/$/s);
    try {
      return new RegExp(between ? between[1] : text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "i");
    } catch {
      return undefined;
    }
  };
  const rangeOf = (text) => {
    const range = text.split(",").map(Number);
    return range.length === 4 && range.every(Number.isFinite) ? range : undefined;
  };
  const timeIn = (sample, layer) => {
    let sum = 0;
    if (samples.laneOf.has(layer)) samples.visits(sample, (name, behind, time) => (sum += name === layer ? time : 0));
    return sum;
  };
  const has = (sample, layer) => sample.hops.some((hop, i) => i > 0 && samples.kinds[hop[0]][2] === layer);
  const isFiltered = () => ["q", "layer", "h", ...choices.keys()].some((key) => state[key]);
  let around; // those that the heat map shows: all but for what is chosen in itself
  const filter = () => {
    const expression = state.q ? expressionOf(state.q) : undefined;
    $("search").classList.toggle("wrong", Boolean(state.q) && !expression);
    const chosen = [...choices].filter(([key]) => state[key]);
    around = samples.all.filter((sample) => chosen.every(([key, {of}]) => of[sample.number] === state[key]) &&
      (!state.layer || has(sample, state.layer)) && (!expression || expression.test(samples.text(sample))));
    const range = rangeOf(state.h);
    const shown = !range ? [...around] : around.filter(({start, total}) =>
      start >= range[0] && start < range[1] && total >= range[2] && total < range[3]);
    const by = {seen: (one) => -one.seen, start: (one) => one.start}[state.sort] || ((one) => -one.total);
    const keys = new Map(shown.map((one) => [one, state.sort === "layer" && state.layer ? -timeIn(one, state.layer) : by(one)]));
    rows.shown = shown.sort((a, b) => keys.get(a) - keys.get(b) || a.number - b.number);
    rows.top = 0;
  };

  // ---- above: where the time went, how long the layers took
  let other; // samples of another page, to compare with
  const whole = (layers) => layers.reduce((sum, one) => sum + one[8], 0);
  const paintOf = (layer, depth) => {
    const lane = samples.lanes[samples.laneOf.get(layer)];
    return `var(--l${lane ? lane.colour : depth % 10})`;
  };
  const bar = (layers, name, alone) => {
    const sums = [0, 1].map((behind) => whole(layers.filter((one) => one[1] === behind)));
    const line = element($("bars"), "div");
    line.className = "bar";
    line.setAttribute("role", "group");
    line.ariaLabel = name || "where the time went";
    let before = 0;
    for (const [layer, behind, depth, , , , , , sum] of layers) {
      const share = percent(sum, whole(layers));
      const part = element(line, "button", sum / whole(layers) > 0.1 ? layer + " " + share : "");
      part.style.flexGrow = whole(layers) > 0 ? sum / whole(layers) : 1;
      part.style.background = paintOf(layer, depth);
      part.className = behind && !before ? "first" : "";
      part.title = `${layer}, ${behind ? "behind the application's back" : "the application waited"}: ${timeText(sum)}, ${share}`;
      part.ariaLabel = part.title;
      part.ariaPressed = String(state.layer === layer);
      part.onclick = () => swap("layer", layer);
      before = behind;
    }
    const under = element($("bars"), "div");
    under.className = "under";
    const says = ["the application waited ", "behind its back "].map((words, i) => words + timeText(sums[i]) + ", " + percent(sums[i], whole(layers)));
    element(under, "span", (name ? name + ": " : "") + (alone ? timeText(sums[0]) : says.join("; ")));
    const tooNarrow = sums[0] > 0 && sums[1] > 4 * sums[0];
    if (tooNarrow) bar(layers.filter((one) => !one[1]), (name ? name + ", " : "") + "what the application waited for", true);
  };

  const SVG = "http://www.w3.org/2000/svg";
  // Two columns for each power of two, from `low` to `high` of them.
  const distribution = (cell, histogram, paint, low, high) => {
    const columns = new Array(2 * (high - low)).fill(0);
    histogram.slots.forEach((count, slot) => (columns[Math.max(0, Math.floor(2 * (Math.log2(Histogram.low(slot) + 0.5) - low)))] += count));
    const most = Math.max(...columns);
    const picture = cell.appendChild(document.createElementNS(SVG, "svg"));
    picture.setAttribute("viewBox", `0 0 ${columns.length} 20`);
    picture.setAttribute("preserveAspectRatio", "none");
    picture.setAttribute("aria-hidden", "true");
    const path = picture.appendChild(document.createElementNS(SVG, "path"));
    path.setAttribute("fill", paint);
    const box = (count, i) => count > 0 ? `M${i} 20V${(20 - Math.max(2, 19 * Math.sqrt(count / most))).toFixed(1)}h.92V20z` : "";
    path.setAttribute("d", "M0 19.6h" + columns.length + "v.4H0z" + columns.map(box).join(""));
    picture.appendChild(document.createElementNS(SVG, "title")).textContent = `from ${timeText(2 ** low)} to ${timeText(2 ** high)}`;
  };

  const group = (title, layers, histograms, against) => {
    for (const behind of [0, 1]) {
      const body = element($("layers"), "tbody");
      const of = layers.filter((one) => one[1] === behind);
      if (of.length > 0) {
        const head = element(element(body, "tr"), "th", title + (behind ? "behind the application\u2019s back" : "the application waited"));
        head.colSpan = 8;
        head.scope = "rowgroup";
      }
      for (const one of of) {
        const [layer, , depth, count, ...times] = one;
        const row = element(body, "tr");
        const name = element(row, "th");
        name.scope = "row";
        const button = element(name, "button");
        element(button, "i").style.background = paintOf(layer, depth);
        button.append(layer);
        button.ariaPressed = String(state.layer === layer);
        button.title = "only samples that were there";
        button.onclick = () => swap("layer", layer);
        element(row, "td", count.toLocaleString("en"));
        for (const time of times.slice(0, 4)) element(row, "td", timeText(time));
        element(row, "td", percent(times[4], whole(layers)));
        const cell = element(row, "td");
        const found = histograms && histograms.find((each) => each.layer === layer && each.behind === behind);
        if (found) distribution(cell, found.ns, paintOf(layer, depth), lowest, highest);
        const was = against && against.find((each) => each[0] === layer && each[1] === behind);
        if (was) {
          const under = element(body, "tr");
          under.className = "other";
          element(under, "th", "\u2003\u2002other").scope = "row";
          for (const text of [was[3].toLocaleString("en"), ...was.slice(4, 8).map(timeText), percent(was[8], whole(against)), ""])
            element(under, "td", text);
        }
      }
    }
  };

  let lowest = 0;
  let highest = 1;
  const overview = () => {
    const histograms = samples.layers(rows.shown);
    const slots = histograms.flatMap(({ns}) => Object.keys(ns.slots).map(Number));
    lowest = slots.length ? Math.floor(Math.log2(Math.max(1, Histogram.low(Math.min(...slots))))) : 0;
    highest = slots.length ? Math.ceil(Math.log2(Histogram.low(Math.max(...slots) + 1))) : 1;
    const filtered = isFiltered();
    const layers = filtered || about.layers.length === 0 ? histograms.map(summaryOf) : about.layers;
    $("bars").replaceChildren();
    for (const body of document.querySelectorAll("#layers tbody")) body.remove();
    bar(layers, other ? "this page" : about.rest && !filtered ? "shown" : "");
    if (about.rest && !filtered) bar(about.rest.layers, "not shown");
    if (other) bar(other.layers, other.name);
    const theirs = (other ? other.layers : []).filter((one) => !layers.some((ours) => ours[0] === one[0] && ours[1] === one[1]));
    group("", [...layers, ...theirs.map(([layer, behind, depth]) => [layer, behind, depth, 0, 0, 0, 0, 0, 0])], histograms, other && other.layers);
    if (about.rest && !filtered) group("not shown: ", about.rest.layers);
  };

  const heat = heatMap($("heat"), samples, {colour, clock, around: () => around, chosen: () => rangeOf(state.h),
    choose: (range) => go({h: range ? range.join(",") : ""})});

  // ---- the rows
  const tools = () => (getComputedStyle($("tools")).position === "sticky" ? $("tools").offsetHeight : 0);
  const printed = matchMedia("print");
  const measure = () => {
    const sticky = tools();
    const all = rows.head + rows.shown.length * rows.height;
    const seen = printed.matches ? 25 * rows.height + rows.head : Math.max(240, innerHeight - sticky);
    canvas.style.top = sticky + "px";
    $("panel").style.top = sticky + "px";
    $("panel").style.minHeight = $("panel").style.maxHeight = innerHeight - sticky + "px";
    $("space").style.height = all + 24 + "px";
    rows.size(printed.matches ? Math.min(720, $("space").clientWidth) : $("space").clientWidth, Math.min(seen, all));
  };
  const above = () => Math.max(0, tools() - $("space").getBoundingClientRect().top);
  const draw = () => {
    rows.top = printed.matches ? 0 : Math.min(above(), Math.max(0, rows.head + rows.shown.length * rows.height - rows.tall));
    rows.draw(colour);
  };
  let drawing = 0;
  const soon = () => {
    drawing = drawing || requestAnimationFrame(() => {
      drawing = 0;
      draw();
    });
  };
  const paint = () => {
    style = getComputedStyle(document.documentElement);
    heat.draw();
    draw();
  };
  let keeping = 0;
  const keep = () => { // in the address, once it stands still
    clearTimeout(keeping);
    keeping = setTimeout(() => go({x: axis.times().map((one) => Number(one.toFixed(3))).join(",")}, {quietly: true}), 400);
  };
  const moved = () => {
    tip.hidden = true;
    soon();
    keep();
  };
  const showRow = (sample) => {
    const y = $("space").getBoundingClientRect().top + rows.head + rows.shown.indexOf(sample) * rows.height;
    const least = tools() + rows.head;
    const covers = !$("panel").hidden && getComputedStyle($("panel")).position === "fixed";
    const most = (covers ? $("panel").getBoundingClientRect().top : innerHeight) - rows.height;
    if (y < least || y > most) scrollBy(0, y < least ? y - least : y - most);
  };

  // ---- a sample's tree
  const words = (sample) => "sample " + sample.id + ", " + sample.outcome[1] + (sample.reason ? " (" + sample.reason + ")" : "");
  const rule = (body, text) => (element(element(body, "tr"), "th", text).colSpan = 4);
  const tree = (sample) => {
    const place = $("tree");
    place.replaceChildren();
    $("name").textContent = words(sample);
    $("name").className = sample.outcome[2] ? "" : "wrong";
    const facts = element(place, "div");
    facts.className = "facts";
    element(facts, "span", clock(sample.start));
    element(facts, "span", "total " + timeText(sample.total));
    element(facts, "span", "the application waited " + timeText(sample.seen));
    for (const field of samples.fields(sample.raw, 1)) element(facts, "span", samples.words(field)).className = field[0][3] ? "dim" : "";
    const table = element(place, "table");
    table.ariaLabel = "hops of " + words(sample);
    const head = element(element(table, "thead"), "tr");
    for (const title of ["at", "took", "layer", "hop"]) element(head, "th", title).scope = "col";
    const body = element(table, "tbody");
    let at = 0;
    let parted = false;
    let task = "";
    sample.hops.forEach((hop, i) => {
      const [layer, name, spent, behind] = samples.kinds[hop[0]];
      const before = i > 0 && samples.kinds[sample.hops[i - 1][0]][3];
      if (behind && !parted) rule(body, "the application waited " + timeText(sample.seen) + "; behind its back");
      else if (behind !== before && i > 0) rule(body, behind ? "behind its back" : "seen by the application again");
      parted = parted || behind;
      at += hop[1];
      const row = element(body, "tr");
      row.tabIndex = i === 0 ? 0 : -1;
      row.dataset.hop = i;
      element(row, "td", timeText(at));
      element(row, "td", i === 0 ? "" : timeText(hop[1]));
      const cell = element(row, "td");
      if (i > 0) element(cell, "i").style.background = `var(--l${samples.lanes[samples.kindLane[hop[0]]].colour})`;
      cell.append(layer);
      if (i > 0 && spent !== layer) cell.title = "the time before it was spent in " + spent;
      const what = element(row, "td", name);
      const more = samples.fields(hop, 4).filter(([[, , , hidden]]) => !hidden).map((field) => samples.words(field));
      const who = samples.task(hop);
      if (who !== task) more.unshift(who);
      task = who;
      if (more.length > 0) element(what, "div", more.join("  "));
    });
    if (!parted) rule(body, "the application waited " + timeText(sample.seen));
  };
  $("tree").addEventListener("focusin", (event) => {
    const row = event.target.closest("tr[data-hop]");
    if (!row) return;
    rows.hop = Number(row.dataset.hop);
    draw();
  });
  $("tree").addEventListener("focusout", () => {
    rows.hop = undefined;
    draw();
  });
  const hopRows = () => [...document.querySelectorAll("#tree tr[data-hop]")];
  const focusHop = (i) => {
    const all = hopRows();
    const to = all[Math.max(0, Math.min(all.length - 1, i))];
    if (!to) return;
    for (const row of all) row.tabIndex = row === to ? 0 : -1;
    to.focus();
  };

  const select = (sample) => {
    rows.selected = sample;
    rows.hop = undefined;
    if (sample) {
      $("said").textContent = words(sample) + ", total " + timeText(sample.total) + ", " + (rows.shown.indexOf(sample) + 1) + " of " + rows.shown.length;
      showRow(sample);
    }
    if (state.id) go({id: sample ? String(sample.id) : ""}, {quietly: true});
    draw();
  };
  const open = (sample) => go({id: String(sample.id)});
  const close = () => {
    const inside = $("panel").contains(document.activeElement);
    go({id: ""});
    if (inside) canvas.focus({preventScroll: true});
  };
  const step = (by) => {
    if (rows.shown.length === 0) return;
    const at = rows.shown.indexOf(rows.selected);
    const to = at < 0 && Number.isFinite(by) ? 0 : at + by;
    select(rows.shown[Math.max(0, Math.min(rows.shown.length - 1, to))]);
  };

  // ---- pointer, wheel and fingers
  const fingers = new Map();
  let drag; // where the pointer was, and whether it has moved
  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    drag = {x: event.clientX, y: event.clientY, moved: fingers.size > 1};
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return point(event);
    const before = fingers.get(event.pointerId);
    const others = [...fingers.values()].filter((one) => one.pointerId !== event.pointerId);
    fingers.set(event.pointerId, event);
    if (others.length > 0) { // two: they spread or pinch the time
      const size = (one) => Math.max(20, Math.abs(one.clientX - others[0].clientX));
      axis.zoom(size(before) / size(event), (event.clientX + others[0].clientX) / 2 - canvas.getBoundingClientRect().left);
      return moved();
    }
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 4) return;
    if (!drag.moved) canvas.setPointerCapture(event.pointerId);
    drag.moved = true;
    axis.pan(before.clientX - event.clientX);
    if (event.pointerType === "mouse") scrollBy(0, before.clientY - event.clientY);
    moved();
  });
  for (const kind of ["pointerup", "pointercancel", "pointerleave"]) canvas.addEventListener(kind, (event) => {
    if (kind !== "pointerleave" || !canvas.hasPointerCapture(event.pointerId)) fingers.delete(event.pointerId);
    if (kind === "pointerleave") tip.hidden = true;
  });
  canvas.addEventListener("click", (event) => {
    const found = drag && drag.moved ? undefined : rows.at(...placeOf(event));
    if (!found) return;
    rows.selected = found.sample;
    open(found.sample);
  });
  canvas.addEventListener("dblclick", (event) => {
    const found = rows.at(...placeOf(event));
    if (!found || !found.hop) return;
    const {from, to} = found.hop;
    axis.place(from - (to - from) / 4, to + (to - from) / 4);
    moved();
  });
  canvas.addEventListener("wheel", (event) => {
    const across = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.ctrlKey || event.metaKey) axis.zoom(1.0025 ** Math.max(-200, Math.min(200, event.deltaY)), placeOf(event)[0]);
    else if (Math.abs(across) > Math.abs(event.deltaY) || event.shiftKey) axis.pan(across);
    else return; // the page scrolls
    event.preventDefault();
    moved();
  }, {passive: false});
  const point = (event) => {
    const found = event.pointerType === "touch" ? undefined : rows.at(...placeOf(event));
    tip.hidden = !found;
    if (!found) return;
    const {sample, hop} = found;
    const lines = [words(sample) + ", total " + timeText(sample.total)];
    if (hop) {
      const [layer, name, spent] = samples.kinds[sample.hops[hop.i][0]];
      lines.unshift(spent + ": " + timeText(hop.took) + ", " + percent(hop.took, sample.total) + " of the sample");
      lines.splice(1, 0, "until " + layer + " " + name + " at " + timeText(hop.at));
    } else {
      lines.push(samples.fields(sample.raw, 1).filter(([[, , , hidden]]) => !hidden).map((field) => samples.words(field)).join("  "));
    }
    tip.textContent = lines.join("\n");
    tip.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    const below = event.clientY + 18;
    tip.style.top = (below + tip.offsetHeight < innerHeight ? below : Math.max(8, event.clientY - tip.offsetHeight - 10)) + "px";
  };

  // ---- controls
  const sign = (line, key, words) => { // a list to choose from
    const list = element(line, "select");
    list.id = "by-" + key;
    list.ariaLabel = key;
    list.onchange = () => go({[key]: list.value});
    element(list, "option", "any " + words).value = "";
    return list;
  };
  const makeFilters = () => {
    const layers = sign($("filters"), "layer", "layer");
    for (const {name} of samples.lanes) element(layers, "option", name).value = name;
    for (const [key, {label, of}] of choices) {
      const sums = new Map();
      samples.all.forEach((sample) => {
        const word = of[sample.number];
        if (word === undefined) return;
        const [count, time] = sums.get(word) || [0, 0];
        sums.set(word, [count + 1, time + sample.total]);
      });
      const list = sign($("filters"), key, label);
      list.hidden = sums.size < 2;
      const found = [...sums].sort((a, b) => b[1][1] - a[1][1]).slice(0, MOST_WORDS);
      for (const [word, [count]] of found) element(list, "option", word + " (" + count.toLocaleString("en") + ")").value = word;
    }
  };
  const zoom = (factor) => {
    axis.zoom(factor, axis.left + axis.width / 2);
    moved();
  };
  const pan = (part) => {
    axis.pan(part * axis.width);
    moved();
  };
  const showAll = () => {
    axis.whole();
    clearTimeout(keeping);
    go({x: ""}, {quietly: true});
    soon();
  };
  const fit = (place) => {
    axis.place(0, place * 1.02);
    moved();
  };
  const scale = (name) => go({scale: name, x: ""});
  const nextSort = () => {
    const all = [...$("sort").options].filter((one) => !one.disabled).map((one) => one.value);
    go({sort: all[(all.indexOf(state.sort) + 1) % all.length]});
  };
  $("in").onclick = () => zoom(0.6);
  $("out").onclick = () => zoom(1 / 0.6);
  $("whole").onclick = () => showAll();
  $("scale").onchange = () => scale($("scale").value);
  $("dense").onclick = () => swap("dense");
  $("sort").onchange = () => go({sort: $("sort").value});
  $("search").oninput = () => go({q: $("search").value}, {quietly: true});
  $("chip").onclick = () => go({h: ""});
  $("reset").onclick = () => go(Object.fromEntries([...KEYS, ...choices.keys()].map((key) => [key, ""])));
  $("keys").onclick = () => $("help").showModal();
  $("close").onclick = close;
  $("before").onclick = () => step(-1);
  $("after").onclick = () => step(1);
  $("open").onclick = () => $("file").click();
  $("file").onchange = async () => {
    const file = $("file").files[0];
    try {
      const page = new DOMParser().parseFromString(await file.text(), "text/html"); // runs no script
      const theirs = new Samples(page.getElementById("data").textContent);
      other = {name: file.name, layers: theirs.about.layers};
      $("said").textContent = "compared with " + file.name;
    } catch {
      other = undefined;
      $("found").textContent = file.name + " is no page of -o html";
      return;
    }
    overview();
    measure();
    draw();
  };

  const opened = () => samples.all.find((one) => String(one.id) === state.id);
  const keys = {ArrowUp: () => step(-1), ArrowDown: () => step(1), PageUp: () => step(-10), PageDown: () => step(10),
    Home: () => step(-Infinity), End: () => step(Infinity), ArrowLeft: () => pan(-0.1), ArrowRight: () => pan(0.1),
    Enter: () => {
      if (!rows.selected) return step(0);
      open(rows.selected);
      focusHop(0);
    },
    "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1 / 0.6), 0: () => showAll(),
    f: () => rows.selected && fit(rows.ends(rows.selected)[1]), w: () => rows.selected && fit(rows.ends(rows.selected)[0]),
    l: () => scale(SCALES[(SCALES.indexOf(state.scale) + 1) % SCALES.length]), d: () => swap("dense"), s: nextSort, "/": () => $("search").focus(), "?": () => $("help").showModal()};
  const inTree = {ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity};
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const on = event.target;
    const typing = on === $("search");
    if (event.key === "Escape") {
      if (typing && state.q) return go({q: ""}, {quietly: true});
      if (typing) return canvas.focus({preventScroll: true});
      return state.id ? close() : select(undefined);
    }
    if (typing || on.tagName === "SELECT") return;
    if (Object.hasOwn(inTree, event.key) && on.closest("#tree")) {
      event.preventDefault();
      return focusHop(hopRows().indexOf(on.closest("tr")) + inTree[event.key]);
    }
    if (!Object.hasOwn(keys, event.key) || (event.key === "Enter" && on.tagName === "BUTTON")) return;
    event.preventDefault();
    keys[event.key]();
  });

  // ---- from the state to the page
  const apply = () => {
    const old = state;
    state = read();
    if (state.sort === "layer" && !state.layer) state.sort = "";
    const changed = (keys) => Object.keys(old).length === 0 || keys.some((key) => old[key] !== state[key]);
    if (changed(["scale"])) axis.use(state.scale || "broken");
    if (state.x && changed(["x"])) axis.show(...state.x.split(",").map((time) => Math.max(0, Number(time) || 0)));
    if (!state.x && old.x) axis.whole();
    rows.dense = Boolean(state.dense);
    const refiltered = changed(["q", "layer", "h", "sort", ...choices.keys()]);
    if (refiltered) {
      filter();
      if (above() > 0) scrollBy(0, -above());
      overview();
    }
    const sample = opened();
    if (changed(["id"])) {
      $("panel").hidden = !sample;
      if (sample) tree(sample);
    }
    if (sample) rows.selected = sample;
    for (const key of ["layer", ...choices.keys()]) {
      const list = $("by-" + key);
      if (state[key] && ![...list.options].some((one) => one.value === state[key])) element(list, "option", state[key]).value = state[key];
      list.value = state[key];
      list.classList.toggle("set", Boolean(state[key]));
    }
    $("sort").options[2].disabled = !state.layer;
    $("sort").value = state.sort;
    if ($("search").value !== state.q) $("search").value = state.q;
    $("scale").value = state.scale;
    $("dense").ariaPressed = String(rows.dense);
    $("reset").disabled = fragment(state) === "#";
    const range = rangeOf(state.h);
    $("chip").hidden = !range;
    if (range) $("chip").textContent = `${clock(range[0]).slice(0, 12)} to ${clock(range[1]).slice(0, 12)}, ${timeText(range[2])} to ${timeText(range[3])} \u00d7`;
    const count = samples.all.length;
    $("found").textContent = rows.shown.length < count ? rows.shown.length.toLocaleString("en") + " of " + number(count, "sample") : number(count, "sample");
    $("empty").hidden = rows.shown.length > 0;
    $("empty").textContent = count > 0 ? "no sample is like this" : "no samples";
    measure();
    if (refiltered) heat.draw();
    draw();
    if (sample && changed(["id"])) showRow(sample);
  };

  $("title").textContent = about.title;
  $("run").textContent = about.run;
  if (about.span) element($("notes"), "div", about.span);
  for (const note of [...about.notes, "ended: " + about.reason]) element($("notes"), "div", note);
  if (about.account) element($("notes"), "div", about.account.trim()).className = "account";
  if (about.rest) element($("notes"), "div", about.rest.text);
  if (about.sampled > samples.all.length && !about.rest) element($("notes"), "div", number(samples.all.length, "sample") + " of them can be shown");
  for (const loss of about.losses) element($("notes"), "div", loss).className = "loss";
  $("both").hidden = $("bars").hidden = samples.all.length === 0 && about.layers.length === 0;
  makeFilters();
  style = getComputedStyle(document.documentElement);
  addEventListener("hashchange", () => fragment(read()) !== fragment(state) && apply());
  addEventListener("scroll", () => {
    tip.hidden = true;
    soon();
  });
  for (const query of [matchMedia("(prefers-color-scheme: dark)"), printed]) query.addEventListener("change", () => {
    measure();
    paint();
  });
  new ResizeObserver(() => {
    measure();
    paint();
  }).observe($("space"));
  addEventListener("resize", () => {
    measure();
    paint();
  });
  apply();
  // For scripts, as those that test the page.
  window.timeline = {samples, rows, axis, draw, go, shown: () => rows.shown.map((one) => one.id),
    layers: () => samples.layers(rows.shown).map(summaryOf)};
})();
