// Each plot has a cursor, a cell, that pointer and arrow keys move; what it stands on is said beside it and below. All
// text is set as text: names come from strangers. Where there are stacks, cells are chosen by clicking, dragging, or Shift
// and arrows, and what is between the first and the last one opens as a flame graph: this page, which becomes that one if its
// fragment has a range.
(() => {
  const {plots, columns, second, flame} = JSON.parse(document.getElementById("data").textContent);
  const answer = document.getElementById("answer");
  const tip = document.getElementById("tip");
  const words = (n) => n + (n === 1 ? " value" : " values");

  const place = (places, at) => {
    for (let i = 0; i < places.length; i++) {
      if (at >= places[i][0] && at < places[i][0] + places[i][1]) return i;
    }
    return -1;
  };

  const open = document.getElementById("open");
  const offer = (from, to, count) => {
    open.nextElementSibling.textContent = clockText(second, from) + " to " + clockText(second, to) + ": " + words(count);
    open.href = "#" + new URLSearchParams({from, to});
    open.parentElement.hidden = false;
  };

  const hasRange = () => flame && new URLSearchParams(location.hash.slice(1)).has("from");
  const become = async () => {
    const page = JSON.parse(new TextDecoder().decode(await inflate(flame)));
    document.title = page.title;
    document.querySelector("style").textContent = page.style;
    document.body.innerHTML = page.body; // our own
    const data = Object.assign(element(document.body, "script"), {type: "application/gzip", id: "data"});
    data.textContent = page.data; // nothing that runs
    element(document.body, "script", page.script);
  };
  if (hasRange()) {
    become();
    return;
  }
  addEventListener("hashchange", () => hasRange() && location.reload());

  document.querySelectorAll("g.map").forEach((map, index) => {
    const plot = plots[index];
    const top = Number(map.dataset.y);
    const counts = new Map();
    for (const cell of map.querySelectorAll("rect[data-n]")) {
      counts.set(cell.dataset.t + "," + cell.dataset.v, Number(cell.dataset.n));
    }
    const cursor = map.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "rect"));
    cursor.setAttribute("class", "cursor");
    cursor.setAttribute("visibility", "hidden");
    const chosen = map.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
    chosen.setAttribute("class", "chosen");
    let t = 0;
    let v = 0;
    let first = null; // that was chosen, a cell

    // All cells from the first one to the cursor, in the order of time.
    const choose = () => {
      if (!flame) return;
      first = first || [t, v];
      const [[t0, v0], [t1, v1]] = [first, [t, v]].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      let path = "";
      let count = 0;
      for (let column = t0; column <= t1; column++) {
        const [low, high] = [column === t0 ? v0 : 0, column === t1 ? v1 : plot.values.length - 1];
        const [x, width] = plot.times[column];
        const y = plot.values[high][0];
        const height = plot.values[low][0] + plot.values[low][1] - y;
        path += `M${x} ${y + top}h${width}v${height}h${-width}z`;
        for (let value = low; value <= high; value++) count += counts.get(column + "," + value) || 0;
      }
      chosen.setAttribute("d", path);
      offer(32 * columns[t0][0] + v0, 32 * (columns[t1][0] + columns[t1][1] - 1) + v1 + 1, count);
    };

    const show = () => {
      const [x, width, time] = plot.times[t];
      const [y, height, value] = plot.values[v];
      const count = counts.get(t + "," + v) || 0;
      for (const [name, number] of Object.entries({x, y: y + top, width, height})) cursor.setAttribute(name, number);
      cursor.setAttribute("visibility", "visible");
      const said = time + ", " + value + ": " + words(count);
      if (answer.textContent !== plot.name + ", " + said) answer.textContent = plot.name + ", " + said;
      tip.textContent = time + "\n" + value + "\n" + words(count);
      tip.hidden = false;
      const box = cursor.getBoundingClientRect();
      const left = Math.min(box.right + 12, document.documentElement.clientWidth - tip.offsetWidth - 8);
      tip.style.left = (left < box.right ? Math.max(8, box.left - 12 - tip.offsetWidth) : left) + "px";
      tip.style.top = Math.max(8, box.top - tip.offsetHeight - 4) + "px";
    };

    const hide = () => {
      cursor.setAttribute("visibility", "hidden");
      tip.hidden = true;
    };

    map.addEventListener("pointermove", (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
      const time = place(plot.times, at.x);
      const value = place(plot.values, at.y - top);
      if (time < 0 || value < 0) return hide();
      t = time;
      v = value;
      show();
      if (event.buttons & 1 && first) choose();
    });
    map.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || tip.hidden) return;
      if (!event.shiftKey) first = null;
      choose();
      if (flame) event.preventDefault(); // no text is marked
    });
    map.addEventListener("pointerleave", hide);
    map.addEventListener("blur", hide);
    // The keyboard begins where most values are.
    map.addEventListener("focus", () => {
      if (!map.matches(":focus-visible") || plot.times.length === 0) return;
      const best = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ["0,0", 0])[0];
      [t, v] = best.split(",").map(Number);
      show();
    });
    map.addEventListener("keydown", (event) => {
      const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
        Home: [-Infinity, 0], End: [Infinity, 0], PageUp: [0, 8], PageDown: [0, -8]}[event.key];
      if (event.key === "Escape") hide();
      if (event.key === "Enter" && flame && !tip.hidden) {
        if (!first) choose();
        open.focus();
      }
      if (!step || plot.times.length === 0) return;
      event.preventDefault();
      first = event.shiftKey ? first || [t, v] : null;
      t = Math.max(0, Math.min(plot.times.length - 1, t + step[0]));
      v = Math.max(0, Math.min(plot.values.length - 1, v + step[1]));
      show();
      if (event.shiftKey) choose();
    });
  });

  // As a table, for those who cannot see the picture or want to copy from it; made when it is first opened.
  const details = document.querySelector("details");
  details.hidden = document.querySelector("rect[data-n]") === null;
  details.addEventListener("toggle", () => {
    const numbers = document.getElementById("numbers");
    if (numbers.firstChild) return;
    document.querySelectorAll("g.map").forEach((map, index) => {
      const plot = plots[index];
      const table = element(numbers, "table");
      element(table, "caption", plot.name);
      const head = element(element(table, "thead"), "tr");
      for (const title of ["time", "value", "count"]) element(head, "th", title).scope = "col";
      const body = element(table, "tbody");
      for (const cell of map.querySelectorAll("rect[data-n]")) {
        const row = element(body, "tr");
        element(row, "td", plot.times[cell.dataset.t][2]);
        element(row, "td", plot.values[cell.dataset.v][2]);
        element(row, "td", cell.dataset.n);
      }
    });
  });
})();
