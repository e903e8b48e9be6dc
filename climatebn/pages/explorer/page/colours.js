// Colours of values, those of climatebn.plot: classes of 0.1 that begin at ±0.05 for changes of probability, one ramp
// for means and standard deviations.
"use strict";

/** @typedef {{colour: (value: number) => string, borders: number[]|null, low: number, high: number,
 *   ramp: (share: number) => string, unsigned: boolean}} Scale */

/** The colour at a share 0 … 1 of a ramp of 256 colours. @param {string} ramp six digits a colour */
function rampColour(ramp, share) {
  const at = Math.min(255, Math.max(0, Math.floor(share * 256)));
  return `#${ramp.slice(6 * at, 6 * at + 6)}`;
}

/**
 * Classes of changes as far as they reach, darker with distance from 0 by the same measure on both sides.
 * @param {number} low @param {number} high @param {"upper"|"lower"|"both"} tail @returns {Scale}
 */
function changeScale(low, high, tail, { diverging, blank, step }) {
  const [below, above] = [-low, high].map((reach) => Math.max(1, Math.ceil((reach - blank) / step - 1e-9)));
  const borders = [];
  for (let k = below; k >= 0; k--) borders.push(Number((-blank - step * k).toFixed(9)));
  for (let k = 0; k <= above; k++) borders.push(Number((blank + step * k).toFixed(9)));
  const middles = borders.slice(1).map((border, k) => Number(((border + borders[k]) / 2).toFixed(9)));
  const largest = Math.max(...middles.map(Math.abs));
  const colours = middles.map((middle) => {
    if (middle === 0) return "#ffffff";
    const strength = Math.sign(middle) * (0.15 + (0.85 * Math.abs(middle)) / largest);
    return rampColour(diverging, 0.5 + (tail === "lower" ? -strength : strength) / 2);
  });
  const colour = (value) => {
    let at = borders.findIndex((border) => value < border);
    if (at < 0) at = borders.length;
    return colours[Math.min(colours.length - 1, Math.max(0, at - 1))];
  };
  return { colour, borders, colours, low: borders[0], high: borders[borders.length - 1], unsigned: tail === "both" };
}

/** One ramp between two ends. @returns {Scale} */
function rampScale(low, high, ramp) {
  if (!(high > low)) [low, high] = [low - 0.5, low + 0.5];
  const colour = (value) => rampColour(ramp, (value - low) / (high - low));
  return { colour, borders: null, colours: null, low, high, ramp, unsigned: false };
}

/**
 * Draw the bar of a scale, as wide as it is shown. @param {Scale} scale @param {string[]} lines what the colours are
 */
function drawBar(svg, scale, lines, width) {
  const [left, inner, top, height] = [22, width - 44, 3, 13];
  const x = (value) => left + (inner * (value - scale.low)) / (scale.high - scale.low);
  const edge = { fill: "none", stroke: "#8796a5", "stroke-width": 0.7 };
  const parts = [];
  if (scale.borders) {
    scale.colours.forEach((fill, k) => {
      const [from, to] = [x(scale.borders[k]), x(scale.borders[k + 1])];
      parts.push(shape("rect", { ...edge, x: from, y: top, width: to - from, height, fill }));
    });
  } else {
    for (let k = 0; k < 256; k++) {
      const fill = rampColour(scale.ramp, k / 256);
      parts.push(shape("rect", { x: left + (inner * k) / 256, y: top, width: inner / 256 + 0.6, height, fill }));
    }
    parts.push(shape("rect", { ...edge, x: left, y: top, width: inner, height }));
  }
  const letters = { "font-family": "system-ui, sans-serif", "text-anchor": "middle", fill: "#1c2733" };
  for (const tick of ticksOf(scale, inner)) {
    const value = scale.unsigned ? Math.abs(tick) : tick;
    parts.push(shape("line", { x1: x(tick), x2: x(tick), y1: top + height, y2: top + height + 4, stroke: "#51606e" }));
    parts.push(shape("text", { ...letters, x: x(tick), y: 33, "font-size": 12 }, plain(value)));
  }
  const wrapped = lines.flatMap((line) => wrap(line, Math.floor(width / 6.9)));
  wrapped.forEach((line, k) => parts.push(shape("text", { ...letters, x: width / 2, y: 51 + 17 * k, "font-size": 13 }, line)));
  const tall = 40 + 17 * wrapped.length;
  svg.setAttribute("viewBox", `0 0 ${width} ${tall}`);
  svg.setAttribute("height", tall);
  svg.replaceChildren(...parts);
  return tall;
}

/** Lines of at most so many letters, cut between words. */
function wrap(text, letters) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines[lines.length - 1].length + word.length >= letters && lines[lines.length - 1]) lines.push(word);
    else lines[lines.length - 1] += (lines[lines.length - 1] && " ") + word;
  }
  return lines;
}

/** Values that carry a number, as many as there is room for: borders of classes, else round steps. */
function ticksOf(scale, room) {
  const most = Math.max(3, Math.floor(room / 42));
  if (scale.borders) {
    const every = Math.ceil(scale.borders.length / most);
    const first = scale.borders.findIndex((border) => border > 0) % every;
    return scale.borders.filter((_, k) => k % every === first);
  }
  const rough = (scale.high - scale.low) / Math.min(8, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((size) => size >= rough);
  const ticks = [];
  for (let k = Math.ceil(scale.low / step - 1e-9); k * step <= scale.high + 1e-9; k++) ticks.push(k * step);
  return ticks;
}
