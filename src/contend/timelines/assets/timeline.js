// Draws a timeline: ranks as rows, time to the right; zooms by buttons, keys, dragging and the wheel.
(() => {
  "use strict";
  const WAITING = 8, COMPUTATION = 1;
  const LOW = 0.5; // height of waiting, which tells it from calls in grey too
  const FLIGHT = 58, AXIS = 24, LEFT = 62, RIGHT = 8; // pixels
  let box = null; // that of tips, which stands behind this script
  const bytesText = (size) => {
    const units = ["B", "KiB", "MiB", "GiB"];
    let at = 0;
    while (size >= 1024 && at < 3) { size /= 1024; at += 1; }
    return `${+size.toPrecision(4)} ${units[at]}`;
  };
  const timeText = (seconds, digits = 4) => {
    const size = Math.abs(seconds);
    const [factor, unit] = size >= 1 ? [1, "s"] : size >= 1e-3 ? [1e3, "ms"] : size >= 1e-6 ? [1e6, "µs"] : [1e9, "ns"];
    return size ? `${+(seconds * factor).toPrecision(digits)} ${unit}` : "0 s";
  };
  const roundStep = (least) => {
    const power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least);
  };

  const start = (root) => {
    const data = JSON.parse(root.querySelector("script").textContent);
    const canvas = root.querySelector("canvas");
    const { units, seconds, step } = data;
    const rows = Math.ceil(data.ranks / step);
    const messages = data.messages.sort((a, b) => b[1] - b[0] - (a[1] - a[0]));
    const arrowsLabel = root.querySelector("label span");
    const cells = data.cells && Uint8Array.from(atob(data.cells), (c) => c.charCodeAt(0));
    const height = rows <= 12 ? 26 : rows <= 32 ? 18 : rows <= 64 ? 11 : rows <= 160 ? 6 : 3;
    const total = FLIGHT + rows * height + AXIS;
    const most = Math.max(...data.flight, 0);
    const least = units / (data.bins ? data.bins / 8 : 20000); // of a window
    let [from, until] = [0, units];
    let isPrint = false;
    const isDark = matchMedia("(prefers-color-scheme: dark)");

    const paint = () => {
      const look = isDark.matches && !isPrint ? data.dark : data.light;
      const width = Math.max(root.clientWidth, 200);
      const fine = isPrint ? 2 : Math.min(devicePixelRatio || 1, 3);
      canvas.width = Math.round(width * fine);
      canvas.height = Math.round(total * fine);
      canvas.style.height = `${total}px`;
      const pen = canvas.getContext("2d");
      pen.scale(fine, fine);
      const room = width - LEFT - RIGHT;
      const x = (time) => LEFT + ((time - from) / (until - from)) * room;
      const fills = data.kinds.map((kind, at) => filler(pen, kind, at, look));
      pen.fillStyle = look.paper;
      pen.fillRect(0, 0, width, total);
      pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      grid(pen, look, x, room, width);
      flight(pen, look, x, room);
      pen.save();
      pen.beginPath();
      pen.rect(LEFT, FLIGHT, room, rows * height);
      pen.clip();
      if (cells) binned(pen, fills, room); else single(pen, fills, x, room);
      if (root.querySelector("input").checked) arrows(pen, look, x, room);
      pen.restore();
      labels(pen, look);
      root.querySelector(".span").textContent =
        `${timeText((from / units) * seconds)} to ${timeText((until / units) * seconds)}`;
      for (const button of root.querySelectorAll("button")) {
        const isWhole = from === 0 && until === units;
        button.disabled = button.dataset.act === "in" ? until - from <= least * 1.01 : isWhole;
      }
    };

    const grid = (pen, look, x, room, width) => {
      const per = seconds / units;
      const every = roundStep(((until - from) * per * 84) / room);
      pen.strokeStyle = look.grid;
      pen.fillStyle = look.soft;
      pen.textAlign = "center";
      pen.textBaseline = "top";
      const first = Math.ceil((from * per) / every - 1e-9);
      for (let at = first; at * every <= until * per * (1 + 1e-12); at += 1) {
        const place = x((at * every) / per);
        pen.beginPath();
        pen.moveTo(place, FLIGHT);
        pen.lineTo(place, FLIGHT + rows * height);
        pen.stroke();
        const text = timeText(at * every, 6);
        const half = pen.measureText(text).width / 2;
        pen.fillText(text, Math.min(Math.max(place, half + 2), width - half - 2), FLIGHT + rows * height + 6);
      }
    };

    const labels = (pen, look) => {
      pen.fillStyle = look.soft;
      pen.textAlign = "right";
      pen.textBaseline = "middle";
      const every = roundStep(Math.max(14 / height, 1));
      for (let row = 0; row < rows; row += Math.max(1, Math.round(every))) {
        pen.fillText(step > 1 ? `from ${row * step}` : `rank ${row}`, LEFT - 6, FLIGHT + (row + 0.5) * height);
      }
    };

    // Messages under way, above the ranks.
    const flight = (pen, look, x, room) => {
      if (!most) return;
      const base = FLIGHT - 6, high = FLIGHT - 22;
      pen.fillStyle = data.kinds[2].colour;
      pen.save();
      pen.beginPath();
      pen.rect(LEFT, 0, room, FLIGHT);
      pen.clip();
      pen.beginPath();
      pen.moveTo(x(0), base);
      data.flight.forEach((mean, bin) => {
        const y = base - (mean / most) * high;
        pen.lineTo(x((bin / data.flight.length) * units), y);
        pen.lineTo(x(((bin + 1) / data.flight.length) * units), y);
      });
      pen.lineTo(x(units), base);
      pen.fill();
      pen.restore();
      pen.fillStyle = look.soft;
      pen.textAlign = "right";
      pen.textBaseline = "middle";
      pen.fillText(most >= 10000 ? most.toExponential(1) : `${+most.toPrecision(3)}`, LEFT - 6, base - high + 5);
      pen.fillText("0", LEFT - 6, base - 3);
      pen.textAlign = "left";
      pen.fillText("messages under way", LEFT + 2, 6);
    };

    const single = (pen, fills, x, room) => {
      for (const [rank, begin, length, kind, , , waits] of data.intervals) {
        if (begin > until || begin + length < from) continue;
        const y = FLIGHT + rank * height + (height > 8 ? 1.5 : 0.5);
        const high = height - (height > 8 ? 3 : 1);
        const left = x(begin), turn = x(begin + (waits || 0)), right = x(begin + length);
        if (waits) fills[WAITING](left, y + high * (1 - LOW), Math.max(turn - left, 0.7), high * LOW);
        fills[kind](turn, y, Math.max(right - turn, 0.7), high);
      }
    };

    // Of each column of pixels the shares of its bins, one above the other; equal ones as one.
    const binned = (pen, fills, room) => {
      const per = (until - from) / units / room;
      const sums = new Float64Array(data.kinds.length);
      const wide = Math.max(1, Math.ceil(1 / (per * data.bins)));
      for (let row = 0; row < rows; row += 1) {
        let [said, began] = [null, 0];
        const flush = (until_) => {
          if (!said) return;
          let y = FLIGHT + (row + 1) * height - 0.5;
          for (const [kind, high] of said) { y -= high; fills[kind](LEFT + began, y, until_ - began, high); }
        };
        for (let column = 0; column < room; column += wide) {
          const begin = (from / units + column * per) * data.bins;
          const first = Math.min(Math.floor(begin), data.bins - 1);
          const last = Math.min(Math.max(first, Math.ceil(begin + wide * per * data.bins) - 1), data.bins - 1);
          sums.fill(0);
          for (let bin = first; bin <= last; bin += 1) {
            const at = 2 * (row * data.bins + bin);
            const both = cells[at], share = cells[at + 1];
            sums[both >> 4] += share >> 4;
            sums[both & 15] += share & 15;
          }
          const shown = [];
          const full = 15 * (last - first + 1);
          for (let kind = 1; kind < sums.length; kind += 1) {
            const high = Math.round((sums[kind] / full) * (height - 1) * 2) / 2;
            if (high > 0) shown.push([kind, high]);
          }
          const key = shown.join();
          if (said && said.join() === key) continue;
          flush(column);
          [said, began] = [shown, column];
        }
        flush(room);
      }
    };

    const arrows = (pen, look, x, room) => {
      const there = messages.filter(([begin, end]) => begin <= until && end >= from);
      const seen = there.slice(0, data.arrows);
      arrowsLabel.textContent = there.length > seen.length ? `messages (${seen.length} of ${there.length} here)` : "messages";
      pen.strokeStyle = pen.fillStyle = look.ink;
      pen.globalAlpha = seen.length > 150 ? 0.5 : 0.85;
      pen.lineWidth = 1;
      pen.beginPath();
      for (const [begin, end, src, dst] of seen) {
        const [x1, x2] = [x(begin), x(end)];
        const y1 = FLIGHT + (Math.floor(src / step) + 0.5) * height;
        const y2 = FLIGHT + (Math.floor(dst / step) + 0.5) * height;
        pen.moveTo(x1, y1);
        pen.lineTo(x2, y2);
        const long = Math.hypot(x2 - x1, y2 - y1);
        if (long > 8) {
          const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
          pen.moveTo(x2 - 6 * dx - 3 * dy, y2 - 6 * dy + 3 * dx);
          pen.lineTo(x2, y2);
          pen.lineTo(x2 - 6 * dx + 3 * dy, y2 - 6 * dy - 3 * dx);
        }
      }
      pen.stroke();
      pen.globalAlpha = 1;
    };

    const zoom = (factor, middle = (from + until) / 2) => {
      const width = Math.min(Math.max((until - from) * factor, least), units);
      const begin = middle - ((middle - from) / (until - from)) * width;
      from = Math.min(Math.max(begin, 0), units - width);
      until = from + width;
      paint();
    };
    const move = (by) => {
      const width = until - from;
      from = Math.min(Math.max(from + by, 0), units - width);
      until = from + width;
      paint();
    };
    const acts = {
      in: () => zoom(0.5),
      out: () => zoom(2),
      all: () => { [from, until] = [0, units]; paint(); },
      left: () => move((from - until) / 3),
      right: () => move((until - from) / 3),
    };
    for (const button of root.querySelectorAll("button")) {
      button.addEventListener("click", acts[button.dataset.act]);
    }
    root.querySelector("input").addEventListener("change", paint);
    canvas.addEventListener("keydown", (event) => {
      const act = { "+": "in", "=": "in", "-": "out", 0: "all", ArrowLeft: "left", ArrowRight: "right" }[event.key];
      if (!act || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      acts[act]();
    });
    const timeAt = (event) => {
      const { left, width } = canvas.getBoundingClientRect();
      return from + ((event.clientX - left - LEFT) / (width - LEFT - RIGHT)) * (until - from);
    };
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) return;
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event));
    }, { passive: false });
    let held = null;
    canvas.addEventListener("pointerdown", (event) => {
      held = event.clientX;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointerup", () => { held = null; });
    canvas.addEventListener("pointercancel", () => { held = null; });
    canvas.addEventListener("dblclick", (event) => zoom(0.4, timeAt(event)));

    const said = (event) => {
      const time = timeAt(event);
      const y = event.clientY - canvas.getBoundingClientRect().top;
      const row = Math.floor((y - FLIGHT) / height);
      if (time < 0 || time > units || row >= rows) return "";
      const at = timeText((time / units) * seconds);
      if (y < FLIGHT) {
        const bin = Math.min(Math.floor((time / units) * data.flight.length), data.flight.length - 1);
        return `${at}: ${data.flight[bin]} messages under way`;
      }
      const who = step > 1 ? `ranks ${row * step} to ${Math.min((row + 1) * step, data.ranks) - 1}` : `rank ${row}`;
      if (cells) {
        const place = 2 * (row * data.bins + Math.min(Math.floor((time / units) * data.bins), data.bins - 1));
        const parts = [[cells[place] >> 4, cells[place + 1] >> 4], [cells[place] & 15, cells[place + 1] & 15]]
          .filter(([kind]) => kind).map(([kind, share]) => `${Math.round((share / 15) * 100)} % ${data.kinds[kind].title}`);
        return parts.length ? `${who}, ${at}: ${parts.join(", ")}` : "";
      }
      const hit = data.intervals.find(([rank, begin, length]) => rank === row && begin <= time && time <= begin + length);
      if (!hit) return "";
      const [, begin, length, kind, call, size, waits, whom] = hit;
      const name = call >= 0 ? data.calls[call] : data.kinds[kind].title;
      const span = `${timeText((begin / units) * seconds)} to ${timeText(((begin + length) / units) * seconds)}`;
      const bytes = kind > COMPUTATION && size > 0 ? `, ${bytesText(size)}` : "";
      const waiting = waits ? `, of these ${timeText((waits / units) * seconds)} waiting for rank ${whom}` : "";
      return `${who}, ${name}${bytes}: ${timeText((length / units) * seconds)}, ${span}${waiting}`;
    };
    canvas.addEventListener("pointermove", (event) => {
      event.stopPropagation();
      if (held !== null && Math.abs(event.clientX - held) > 2) {
        move(((held - event.clientX) / (canvas.clientWidth - LEFT - RIGHT)) * (until - from));
        held = event.clientX;
      }
      const text = said(event);
      box.style.display = text ? "block" : "none";
      if (!text) return;
      box.textContent = text;
      const right = document.documentElement.clientWidth - box.offsetWidth - 8;
      box.style.left = `${scrollX + Math.max(8, Math.min(event.clientX + 12, right))}px`;
      box.style.top = `${scrollY + event.clientY + 16}px`;
    });
    canvas.addEventListener("pointerleave", () => { box.style.display = "none"; });

    for (const swatch of root.querySelectorAll("canvas.swatch")) {
      const dye = () => {
        const look = isDark.matches && !isPrint ? data.dark : data.light;
        [swatch.width, swatch.height] = [60, 28];
        const pen = swatch.getContext("2d");
        pen.scale(2, 2);
        pen.fillStyle = look.paper;
        pen.fillRect(0, 0, 30, 14);
        const kind = +swatch.dataset.kind;
        const top = kind === WAITING && !cells ? 14 * (1 - LOW) : 0;
        filler(pen, data.kinds[kind], kind, look)(0, top, 30, 14 - top);
      };
      dye();
      isDark.addEventListener("change", dye);
    }
    isDark.addEventListener("change", paint);
    addEventListener("resize", paint);
    addEventListener("beforeprint", () => { isPrint = true; paint(); });
    addEventListener("afterprint", () => { isPrint = false; paint(); });
    paint();
  };

  // A function that fills a box in the colour of an activity, hatched where it is one of calls.
  const filler = (pen, kind, number, look) => {
    if (!number) return () => {};
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const line = tile.getContext("2d");
    line.fillStyle = kind.colour;
    line.fillRect(0, 0, 6, 6);
    line.strokeStyle = line.fillStyle = look.paper;
    line.lineWidth = 1.2;
    line.beginPath();
    const across = { "/": [[-1, 7, 7, -1], [-4, 4, 4, -4], [2, 10, 10, 2]], "\\": [[-1, -1, 7, 7]], x: [[-1, -1, 7, 7], [-1, 7, 7, -1]],
      "|": [[3, 0, 3, 6]], "-": [[0, 3, 6, 3]] }[kind.hatch] || [];
    for (const [x1, y1, x2, y2] of across) { line.moveTo(x1, y1); line.lineTo(x2, y2); }
    line.globalAlpha = number === 8 ? 0.75 : 0.5;
    line.stroke();
    if (kind.hatch === ".") line.fillRect(2, 2, 2, 2);
    if (kind.hatch === "o") { line.beginPath(); line.arc(3, 3, 2, 0, 7); line.stroke(); }
    const pattern = pen.createPattern(tile, "repeat");
    return (x, y, width, high) => {
      pen.fillStyle = kind.hatch && width > 4 && high > 4 ? pattern : kind.colour;
      pen.fillRect(x, y, width, high);
    };
  };

  addEventListener("DOMContentLoaded", () => {
    box = document.getElementById("tip");
    for (const root of document.querySelectorAll(".timeline")) start(root);
  });
})();
