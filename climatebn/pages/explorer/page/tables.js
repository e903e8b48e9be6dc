// The lists beside the map: evidence with its sliders, the places that answer most, the regions.
"use strict";

/** One line of evidence: its name, a slider, its value, a button to remove it. */
function evidenceLine(one, place, change, remove) {
  const output = element("output", {}, `${signed(one.value, 1)} sd`);
  const slider = element("input", {
    type: "range", min: -LARGEST_VALUE, max: LARGEST_VALUE, step: 0.1, value: one.value, "aria-label": `value of ${one.label} in sd`,
    oninput: () => {
      output.textContent = `${signed(Number(slider.value), 1)} sd`;
      change(one.key, Number(slider.value));
    },
  });
  const button = element("button", { type: "button", class: "remove", "aria-label": `remove ${one.label}`, onclick: () => remove(one.key) }, "×");
  const name = element("span", { class: "name" }, `${one.label} `, place ? element("small", {}, place) : null);
  return element("li", { "data-key": one.key }, name, slider, output, button);
}

/**
 * A table with a heading for each column; numbers stand on the right.
 * @param {string[]} heads @param {(string|Node)[][]} rows the first cell of a row names it
 */
function tableOf(heads, rows) {
  const head = element("tr", {}, ...heads.map((text, k) => element("th", { scope: "col", class: k ? "number" : null }, text)));
  const body = rows.map((cells) =>
    element("tr", {}, ...cells.map((cell, k) => element(k ? "td" : "th", { scope: k ? null : "row", class: k ? "number" : null }, cell))),
  );
  return [element("thead", {}, head), element("tbody", {}, ...body)];
}

/** Numbers of the nodes with the largest |value|, evidence left out. @param {Float64Array} values @param {Set<number>} given */
function strongest(values, given, count) {
  return [...values.keys()]
    .filter((node) => !given.has(node) && Number.isFinite(values[node]))
    .sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]) || a - b)
    .slice(0, count);
}

/**
 * The mean of a field over a region and, of an ensemble's answer, its interval.
 * @param {{numbers: number[], weights: number[]}} region @param {Answer} answer @param {"upper"|"lower"} tail
 * @returns {{mean: number, half: number}}
 */
function regionChange(region, answer, tail, width) {
  const mean = weighted(region.numbers, region.weights, answer.difference[tail]);
  if (!answer.members || answer.members[tail].length < 2) return { mean, half: NaN };
  const means = answer.members[tail].map((row) => Float64Array.of(weighted(region.numbers, region.weights, row)));
  return { mean, half: width * spreadOf(means)[0] };
}

/** Text as a file for the reader. */
function download(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Rows as CSV; text with commas or quotes is quoted, and none of it is read as a formula. */
function csvOf(rows) {
  const cell = (value) => {
    let text = typeof value === "number" ? (Number.isFinite(value) ? String(value) : "") : String(value);
    if (typeof value !== "number" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\n") + "\n";
}
