// Shows the text of the nearest place of a drawing beside the pointer, or the finger that touched it.
(() => {
  "use strict";
  const REACH = 14; // points around a place
  const box = document.getElementById("tip");
  const known = new Map();
  const places = (svg) => {
    if (!known.has(svg)) {
      const data = svg.closest("figure").querySelector("script");
      known.set(svg, data ? JSON.parse(data.textContent) : []);
    }
    return known.get(svg);
  };
  const nearest = (svg, x, y) => {
    let found = null;
    let least = REACH;
    for (const [left, top, right, bottom, text] of places(svg)) {
      const away = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
      if (away < least || (away === 0 && least === 0)) [found, least] = [text, away];
    }
    return found;
  };
  const show = (event) => {
    const svg = event.target.closest("figure svg");
    const place = svg && new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const text = svg && nearest(svg, place.x, place.y);
    box.style.display = text ? "block" : "none";
    if (!text) return;
    box.textContent = text;
    const right = document.documentElement.clientWidth - box.offsetWidth - 8;
    box.style.left = `${scrollX + Math.max(8, Math.min(event.clientX + 12, right))}px`;
    box.style.top = `${scrollY + event.clientY + 16}px`;
  };
  addEventListener("pointermove", show);
  addEventListener("pointerdown", show);
})();
