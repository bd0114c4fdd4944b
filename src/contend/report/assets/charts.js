// Draws each chart when it comes near the window, in the colours of the reader's scheme.
(() => {
  "use strict";
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const light = { ink: "#1d2430", grid: "#e6e9ed", label: "#ffffff", faint: "#8a8f98" };
  const dark = { ink: "#e3e7ed", grid: "#2d343e", label: "#232a34", faint: "#7d8794" };
  const config = {
    responsive: true,
    displaylogo: false,
    displayModeBar: matchMedia("(hover: hover)").matches ? "hover" : false,
    modeBarButtons: [["toImage", "zoom2d", "pan2d", "resetScale2d"]],
  };

  const colours = (theme) => ({
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    "font.color": theme.ink,
    "font.size": 12,
    "font.family": getComputedStyle(document.body).fontFamily,
    "xaxis.gridcolor": theme.grid,
    "yaxis.gridcolor": theme.grid,
    "hoverlabel.bgcolor": theme.label,
    "hoverlabel.bordercolor": theme.grid,
    "hoverlabel.font.color": theme.ink,
    "hoverlabel.align": "left",
    "modebar.bgcolor": "rgba(0,0,0,0)",
    "modebar.color": theme.faint,
    "modebar.activecolor": theme.ink,
  });
  const current = () => (isDark.matches ? dark : light);
  const drawn = new Set();

  const set = (layout, path, value) => {
    const keys = path.split(".");
    const last = keys.pop();
    keys.reduce((part, key) => (part[key] ??= {}), layout)[last] = value;
  };
  const draw = (place, theme = current()) => {
    if (drawn.has(place)) return;
    drawn.add(place);
    const { data, layout } = JSON.parse(place.nextElementSibling.textContent);
    Object.entries(colours(theme)).forEach(([path, value]) => set(layout, path, value));
    Plotly.newPlot(place, data, layout, config);
  };
  const recolour = (theme) => drawn.forEach((place) => Plotly.relayout(place, colours(theme)));

  const places = [...document.querySelectorAll(".chart")];
  const watcher = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => draw(entry.target)),
    { rootMargin: "800px" },
  );
  places.forEach((place) => watcher.observe(place));
  isDark.addEventListener("change", () => recolour(current()));
  addEventListener("beforeprint", () => {
    recolour(light);
    places.forEach((place) => draw(place, light));
  });
  addEventListener("afterprint", () => recolour(current()));
})();
