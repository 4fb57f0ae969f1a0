// Totals over the run: each cell has samples that began at a time and took so long. What is dragged over is chosen. The
// page says which samples are `around`, what is `chosen` of them, [from, to, low, high] in nanoseconds, and `choose`s.
const heatMap = (canvas, samples, page) => {
  const heat = {canvas, left: 58, bottom: 18, cell: 7};
  const measure = () => {
    const starts = samples.all.map((one) => one.start);
    const totals = samples.all.map((one) => Math.log2(Math.max(1, one.total)));
    const least = (list) => list.reduce((a, b) => Math.min(a, b), Infinity);
    const most = (list) => list.reduce((a, b) => Math.max(a, b), -Infinity);
    Object.assign(heat, {from: least(starts), to: most(starts) + 1, low: Math.floor(2 * least(totals)) / 2, high: Math.floor(2 * most(totals)) / 2 + 0.5});
  };
  const draw = () => {
    const box = heat.canvas.getBoundingClientRect();
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    const pen = heat.canvas.getContext("2d");
    heat.canvas.width = Math.round(box.width * ratio);
    heat.canvas.height = Math.round(box.height * ratio);
    pen.scale(ratio, ratio);
    heat.width = box.width - heat.left - 2;
    heat.height = box.height - heat.bottom - 4;
    if (samples.all.length === 0) return;
    const across = Math.max(1, Math.floor(heat.width / heat.cell));
    const down = Math.max(1, Math.min(Math.floor(heat.height / heat.cell), Math.round(4 * (heat.high - heat.low))));
    const counts = new Uint32Array(across * down);
    for (const {start, total} of page.around()) {
      const x = Math.min(across - 1, Math.floor(((start - heat.from) / (heat.to - heat.from)) * across));
      const y = Math.min(down - 1, Math.floor(((Math.log2(Math.max(1, total)) - heat.low) / (heat.high - heat.low)) * down));
      counts[y * across + x]++;
    }
    const most = counts.reduce((a, b) => Math.max(a, b), 1);
    const [w, h] = [heat.width / across, heat.height / down];
    pen.fillStyle = page.colour("bar");
    pen.fillRect(heat.left, 2, heat.width, heat.height);
    pen.fillStyle = page.colour("accent");
    counts.forEach((count, i) => {
      if (count === 0) return;
      pen.globalAlpha = 0.18 + 0.82 * Math.sqrt(count / most);
      pen.fillRect(heat.left + (i % across) * w, 2 + heat.height - (Math.floor(i / across) + 1) * h, Math.max(1.5, w - 0.6), Math.max(1.5, h - 0.6));
    });
    pen.globalAlpha = 1;
    pen.fillStyle = page.colour("dim");
    pen.font = "11px " + FONT;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    const [low, high] = [heat.low, heat.high].map((power) => power / Math.log2(10));
    const label = (time) => pen.fillText(roundTime(time), heat.left - 6, Math.max(8, 2 + heat.height * (1 - (Math.log10(time) - low) / (high - low))));
    if (high - low < 2) [low, high].forEach((power) => label(10 ** power));
    else for (let ten = Math.ceil(low); ten <= high; ten += Math.ceil(((high - low) * 14) / heat.height)) label(10 ** ten);
    pen.textAlign = "left";
    const letters = heat.to - heat.from < 60e9 ? 12 : 8;
    pen.fillText(page.clock(heat.from).slice(0, letters), heat.left, box.height - 8);
    pen.textAlign = "right";
    pen.fillText(page.clock(heat.to).slice(0, letters), heat.left + heat.width, box.height - 8);
    const range = heat.drag || page.chosen();
    if (!range) return;
    const [x0, x1] = [range[0], range[1]].map((start) => heat.left + ((start - heat.from) / (heat.to - heat.from)) * heat.width);
    const [y0, y1] = [range[2], range[3]].map((total) => 2 + heat.height - ((Math.log2(Math.max(1, total)) - heat.low) / (heat.high - heat.low)) * heat.height);
    pen.beginPath();
    pen.rect(heat.left - 1, 1, heat.width + 2, heat.height + 2);
    pen.clip();
    pen.strokeStyle = page.colour("text");
    pen.lineWidth = 1.5;
    pen.strokeRect(x0, y1, x1 - x0, y0 - y1);
  };
  const placeOf = (event) => {
    const box = heat.canvas.getBoundingClientRect();
    const part = (at, size) => Math.min(1, Math.max(0, at / size));
    return [heat.from + part(event.clientX - box.left - heat.left, heat.width) * (heat.to - heat.from),
      2 ** (heat.low + (1 - part(event.clientY - box.top - 2, heat.height)) * (heat.high - heat.low))];
  };
  const rangeOf = (event) => {
    const [[t0, v0], [t1, v1]] = [heat.begin, placeOf(event)];
    return [Math.floor(Math.min(t0, t1)), Math.ceil(Math.max(t0, t1)), Math.floor(Math.min(v0, v1)), Math.ceil(Math.max(v0, v1))];
  };
  heat.canvas.addEventListener("pointerdown", (event) => {
    if (samples.all.length === 0) return;
    heat.begin = placeOf(event);
    heat.from_x = event.clientX;
    heat.canvas.setPointerCapture(event.pointerId);
  });
  heat.canvas.addEventListener("pointermove", (event) => {
    if (!heat.begin) return;
    heat.drag = rangeOf(event);
    draw();
  });
  heat.canvas.addEventListener("pointerup", (event) => {
    if (!heat.begin) return;
    const range = Math.abs(event.clientX - heat.from_x) < 3 ? undefined : rangeOf(event);
    heat.begin = heat.drag = undefined;
    page.choose(range);
    draw();
  });
  heat.canvas.addEventListener("pointercancel", () => {
    heat.begin = heat.drag = undefined;
    draw();
  });

  measure();
  return {draw};
};
