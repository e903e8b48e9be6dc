// The page: what is asked (state), the answers, and everything that shows them.
"use strict";

const content = JSON.parse(document.getElementById("content").textContent);
const models = modelsOf(content);
const sample = sampleOf(content, models);
const { names, places } = content;
const numberOf = new Map(names.map((name, number) => [name, number]));
const area = places && !places.regional && unpackNumbers(places.area);
const regions = (places ? places.regions : []).filter((region) => !numberOf.has(region.key));
const part = (id) => document.getElementById(id);

let state = emptyState();
let panels = [];
let shown = []; // {model, answer, error} of each map
let bars = []; // draw the colour bar of the maps, and that of their difference
let looked = null; // the node under the pointer
let turn = 0;
let barRoom = 0; // pixels for the colour bar; 0 until they are measured
let laid = 0; // how many maps were laid out last

// ---------------------------------------------------------------- what is asked

/** The quantity of a key: a node's name, a region's, or a box "south/north/west/east"; null if there is none. */
function quantityOf(key) {
  if (numberOf.has(key)) return { key, label: key, numbers: [numberOf.get(key)], weights: [1], node: numberOf.get(key) };
  const region = regions.find((one) => one.key === key);
  const box = /^-?[\d.]+(\/-?[\d.]+){3}$/.test(key) && area ? key.split("/").map(Number) : null;
  if (!region && !box) return null;
  const { numbers, weights } = region || boxWeights(box, places, area);
  if (!numbers.length) return null;
  if (numbers.length === 1) {
    const name = names[numbers[0]];
    return { key, label: name, numbers, weights: [1], node: numbers[0] };
  }
  return { key, label: region ? region.words : boxWords(box), numbers, weights, node: -1 };
}

/** @param {[string, number][]} pairs in the order in which they were set @returns {Evidence[]} */
function evidenceOf(pairs) {
  const seen = new Set();
  return pairs.map(([key, value]) => {
    const one = quantityOf(key);
    if (!one) throw new Error(`unknown evidence ${key}: no place or region has that name`);
    if (!Number.isFinite(value)) throw new Error(`evidence must be finite; the value of ${key} is not`);
    const same = one.numbers.join();
    if (seen.has(same)) throw new Error(`evidence gives ${one.label} more than one value; give one`);
    seen.add(same);
    return { ...one, value };
  });
}

function boxWords([south, north, west, east]) {
  const lat = (value) => (value === 0 ? "0°" : `${Math.abs(value)}°${value < 0 ? "S" : "N"}`);
  const lon = (value) => (value % 180 === 0 ? `${Math.abs(value)}°` : `${Math.abs(value)}°${value < 0 ? "W" : "E"}`);
  return `${lat(south)}–${lat(north)} ${lon(west)}–${lon(east)}`;
}

/** Where a piece of evidence is, in words. */
function placeOf(one) {
  if (one.node >= 0) return places ? places.words[one.node] : "";
  return `mean of ${one.numbers.length} places`;
}

/** What a model says; the promise of it where another process does the algebra. */
function ask(model, evidence, threshold, units) {
  return model.answer(evidence, threshold, units, evidence[evidence.length - 1]);
}

/**
 * Changes of probability, in the order of names: what the map shows.
 * @param {Object<string, number>} values by node or region
 * @param {{threshold?: number, tail?: "upper"|"lower", network?: number, units?: "sd"|"data"}} options units are the
 *   network's own when left out, as in climatebn.propagate
 */
function answer(values, { threshold = 1, tail = "upper", network = 0, units = null } = {}) {
  const model = models[network];
  if (!model) throw new Error(`network must be 0 … ${models.length - 1}; got ${network}`);
  if (!TAILS.includes(tail)) throw new Error(`tail must be "upper" or "lower"; got ${tail}`);
  const told = ask(model, evidenceOf(Object.entries(values)), threshold, units || model.units);
  return told instanceof Promise ? told.then((found) => [...found.difference[tail]]) : [...told.difference[tail]];
}

window.climatebn = { names, answer };

// ---------------------------------------------------------------- changes of state

function setEvidence(key, value, said = true) {
  const one = quantityOf(key);
  if (!one) return tell(`No place of the network is ${key}.`);
  const bounded = Math.max(-LARGEST_VALUE, Math.min(LARGEST_VALUE, Number(value.toFixed(2))));
  state.evidence.set(key, bounded);
  update(said ? `${one.label}${placeOf(one) ? `, ${placeOf(one)},` : ""} set to ${signed(bounded, 1)} sd.` : null);
}

function removeEvidence(key) {
  if (!state.evidence.delete(key)) return;
  update(`${quantityOf(key).label} removed.${state.evidence.size ? "" : " No evidence is left."}`);
}

function toggle(node, panel) {
  if (state.evidence.has(names[node])) removeEvidence(names[node]);
  else setEvidence(names[node], 2);
  panel.reach(node);
}

function preset(value) {
  state.evidence = new Map([[places.elNino, value]]);
  update(`${value > 0 ? "El Niño" : "La Niña"}: ${places.elNino}, ${places.words[numberOf.get(places.elNino)]}, set to ${signed(value, 0)} sd.`);
}

function clearAll() {
  state.evidence = new Map();
  update("All evidence removed.");
}

/** A key pressed on a cell; whether it meant something. */
function pressed(node, key, panel) {
  const name = names[node];
  const now = state.evidence.get(name) ?? 0;
  if (key === "Enter" || key === " ") toggle(node, panel);
  else if (key === "+" || key === "=") setEvidence(name, now + 0.5);
  else if (key === "-" || key === "−") setEvidence(name, now - 0.5);
  else if (key === "Delete" || key === "Backspace") removeEvidence(name);
  else if (key === "Escape") look(null);
  else return false;
  return true;
}

/** What was typed: a node, a region, or "lat, lon". */
function typed(text) {
  const region = regions.find((one) => one.words === text || one.key === text);
  const place = places && placeFrom(text);
  if (numberOf.has(text)) setEvidence(text, 2);
  else if (region) setEvidence(region.key, 2);
  else if (place) {
    let best = null;
    for (const node of names.keys()) {
      if (!onMap(places, node)) continue;
      const km = distance(place[1], place[0], places.lon[node], places.lat[node]);
      if (!best || km < best.km) best = { node, km };
    }
    if (best) setEvidence(names[best.node], 2);
  } else tell(`No place or region is called “${text}”.`);
}

// ---------------------------------------------------------------- answers

/** Ask all shown models, then show what they say. @param {string|null} said to the reader of the live region */
function update(said = null) {
  const mine = ++turn;
  const address = toAddress(state, models.length);
  try {
    history.replaceState(null, "", address);
  } catch {
    // a page inside another document has no address of its own
  }
  const evidence = listEvidence();
  const numbers = state.second >= 0 ? [state.first, state.second] : [state.first];
  const asked = numbers.map((number) => {
    const model = models[number];
    const failed = (error) => ({ model, answer: null, error: error.message });
    try {
      const told = ask(model, evidenceOf([...state.evidence]), state.threshold, "sd");
      return told instanceof Promise ? told.then((found) => ({ model, answer: found }), failed) : { model, answer: told };
    } catch (error) {
      return failed(error);
    }
  });
  const then = (answers) => {
    if (mine !== turn) return;
    shown = answers;
    render(evidence);
    if (said) tell(said + consequence(evidence));
  };
  if (asked.some((one) => one instanceof Promise)) Promise.all(asked).then(then);
  else then(asked);
}

/** The place that answers most, for readers who do not see the map. */
function consequence(evidence) {
  const told = shown[0]?.answer;
  if (!told || !evidence.length) return "";
  const given = new Set(evidence.flatMap((one) => one.numbers));
  const [node] = strongest(answeringOf(told, state.view), given, 1);
  if (node === undefined) return "";
  return ` Strongest answer elsewhere: ${names[node]}${places?.words[node] ? `, ${places.words[node]}` : ""}: ${changeWords(shown[0].answer, node)}.`;
}

/** What a view shows of an answer, one number a node. */
function valuesOf(told, view) {
  if (view === "high") return told.difference.upper;
  if (view === "low") return told.difference.lower;
  if (view === "mean") return told.mean;
  if (view === "sd") return told.sd;
  return told.difference.upper.map((rise, i) => {
    const [above, below] = [Math.max(rise, 0), Math.max(told.difference.lower[i], 0)];
    return above >= below ? above : -below;
  });
}

/** How much each node answers: what the view shows, but of a standard deviation what is gone of it. */
function answeringOf(told, view) {
  return view === "sd" ? told.sd.map((sd) => 1 - sd) : valuesOf(told, view);
}

/** The tail that a view shows of a node. */
function tailOf(told, view, node) {
  if (view !== "both") return view === "low" ? "lower" : "upper";
  return Math.max(told.difference.upper[node], 0) >= Math.max(told.difference.lower[node], 0) ? "upper" : "lower";
}

function scaleOf(several, view, contrast) {
  let [low, high] = [Infinity, -Infinity];
  for (const values of several) {
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (!(low <= high)) [low, high] = [0, 0];
  const reach = Math.max(Math.abs(low), Math.abs(high)) || 1;
  if (view === "mean" || (view === "sd" && contrast)) return rampScale(-reach, reach, content.colours.diverging);
  if (view === "sd") return rampScale(low, high, content.colours.sequential);
  const tail = contrast ? "upper" : { high: "upper", low: "lower", both: "both" }[view];
  return changeScale(low, high, tail, content.colours);
}

/** Both ends of the scale of the two maps, so that their difference has colours of the same strength. */
function contrastEnds(scale) {
  const reach = scale.borders ? Math.max(-scale.low, scale.high) : 0;
  return [Float64Array.of(-reach, reach)];
}

/** Ask while nobody does: the browser compiles the algebra then, and the first click is as quick as the tenth. */
function practise(times) {
  if (content.served || !times || turn > 1) return;
  for (const { model } of shown) ask(model, evidenceOf([[names[times % names.length], 0]]), state.threshold, "sd");
  setTimeout(practise, 20, times - 1);
}

// ---------------------------------------------------------------- showing

function render(evidence) {
  const problem = shown.find((one) => one.error);
  part("problem").hidden = !problem;
  part("problem").textContent = problem ? [...new Set(shown.filter((one) => one.error).map((one) => one.error))].join(" ") : "";
  const fields = shown.map(({ answer: told }) => (told ? valuesOf(told, state.view) : null));
  const known = fields.filter(Boolean);
  const both = state.contrast && fields.length === 2 && known.length === 2;
  layPanels(both);
  const scale = scaleOf(known, state.view, false);
  fields.forEach((values, k) => showField(panels[k], shown[k], values, scale, evidence));
  bars = [(svg, width) => drawBar(svg, scale, barWords(evidence), width)];
  bars[0](part("bar"), barWidth());
  part("bar").toggleAttribute("hidden", !evidence.length); // before a question colours say nothing
  if (both) {
    const difference = fields[0].map((value, i) => value - fields[1][i]);
    const own = scaleOf([difference, ...contrastEnds(scale)], state.view, true);
    panels[2].paint([...difference].map(own.colour));
    panels[2].mark(evidence);
    bars.push((svg, width) => drawBar(svg, own, [`${shown[0].model.label} − ${shown[1].model.label}`], width));
    bars[1](panels[2].bar, barWidth());
  }
  const arcs = shown.map(({ model }) => (state.arcs === "none" ? [] : arcsOf(model, evidence).length));
  part("arcWords").hidden = state.arcs === "none";
  part("arcWords").textContent = `Arcs (${arcs.join(" and ")}): the wider, the larger the ${[...new Set(shown.map(({ model }) => model.edgeWords))].join(" or the ")}; dashed where negative.`;
  fillTables(evidence);
  part("hint").hidden = evidence.length > 0;
  part("kmField").hidden = state.arcs !== "long";
  if (looked !== null) look(looked.node, looked.event);
}

/** Paint one map: colours, evidence, dots, arcs. */
function showField(panel, { model, answer: told }, values, scale, evidence) {
  panel.paint(values ? [...values].map(scale.colour) : names.map(() => "#f4f5f6"));
  panel.mark(evidence);
  const change = ["high", "low", "both"].includes(state.view);
  const doubtful = told?.agreement && change ? names.map((_, i) => i).filter((i) => told.agreement[tailOf(told, state.view, i)][i] < content.ensemble.agree) : [];
  panel.stipple(doubtful);
  panel.drawArcs(arcsOf(model, evidence));
}

/** The arcs that are asked for: of the places of evidence, or all that are long enough. */
function arcsOf(model, evidence) {
  if (state.arcs === "place") {
    const given = new Set(evidence.flatMap((one) => one.numbers));
    return model.edges.filter(({ a, b }) => given.has(a) || given.has(b));
  }
  if (state.arcs !== "long" || !places) return [];
  if (!model.lengths) {
    model.lengths = model.edges.map(({ a, b }) => distance(places.lon[a], places.lat[a], places.lon[b], places.lat[b]));
  }
  return model.edges.filter((_, k) => model.lengths[k] > state.km);
}

/** As many maps as are asked for, each with its title. */
function layPanels(contrast) {
  const wanted = shown.length + Number(contrast);
  const handlers = { toggle, box: addBox, look, key: pressed };
  while (panels.length < wanted) {
    const panel = new MapPanel(content, handlers);
    panel.title = element("h2");
    panel.bar = shape("svg", { class: "bar", role: "img" });
    panel.figure = element("figure", { class: "panel" }, panel.title, panel.svg, panel.bar);
    if (places?.elNino) panel.reach(numberOf.get(places.elNino)); // where the keyboard begins
    panels.push(panel);
    part(panels.length === 3 ? "contrastPanel" : "panels").append(panel.figure);
  }
  panels.forEach((panel, k) => {
    panel.figure.hidden = k >= wanted;
    panel.bar.toggleAttribute("hidden", !(contrast && k === 2));
    const model = shown[k]?.model;
    panel.title.replaceChildren(model ? model.label : "Difference", element("small", {}, model ? ` ${model.note}` : " first − second"));
    panel.svg.setAttribute("aria-label", `Map of ${model ? model.label : "the difference"}: arrow keys move, Enter sets or removes evidence, + and − change it`);
  });
  if (laid !== shown.length) barRoom = 0;
  laid = shown.length;
  part("panels").className = laid > 1 ? "several" : "";
  document.querySelector("main").className = laid > 1 ? "compared" : "";
}

function addBox(box) {
  const key = box.join("/");
  if (quantityOf(key)) setEvidence(key, 2);
  else tell("No place lies in that box.");
}

/** What colours mean, in two lines. */
function barWords(evidence) {
  const limit = `${plain(state.threshold)} sd`;
  const given = evidence.slice(0, 2).map((one) => `${one.label}${one.node >= 0 && placeOf(one) && evidence.length === 1 ? ` (${placeOf(one)})` : ""} = ${signed(one.value, 1)} sd`);
  const known = `given ${given.join(", ")}${evidence.length > 2 ? ", …" : ""}`;
  const { high, low } = content;
  const dotted = shown.some((one) => one.answer?.agreement) ? " (dotted: members disagree)" : "";
  const words = {
    high: [`change of P(X ≥ ${limit}), a ${high} extreme`, known + dotted],
    low: [`change of P(X ≤ −${limit}), a ${low} extreme`, known + dotted],
    both: [`◀ ${low}, X ≤ −${limit}  |  ${high}, X ≥ ${limit} ▶`, `rise of the probability ${known}${dotted}`],
    mean: ["mean [sd]", known],
    sd: ["standard deviation [sd]", known],
  }[state.view];
  return evidence.length ? words : [words[0]];
}

/** Measured only when maps come or go and when the window changes: to ask the browser is to have all laid out anew. */
function barWidth() {
  barRoom ||= Math.max(280, Math.min(720, part("panels").clientWidth || 720));
  return barRoom;
}

/** The list of evidence, and the evidence itself. A slider that is being moved stays as it is. */
function listEvidence() {
  const evidence = [...state.evidence].map(([key, value]) => ({ ...quantityOf(key), value }));
  const list = part("evidence");
  const keys = [...list.children].map((line) => line.dataset.key);
  if (keys.join("\n") !== evidence.map((one) => one.key).join("\n")) {
    const at = [...list.children].findIndex((line) => line.contains(document.activeElement));
    list.replaceChildren(...evidence.map((one) => evidenceLine(one, placeOf(one), (key, value) => setEvidence(key, value, false), removeEvidence)));
    const next = list.children[Math.min(at, evidence.length - 1)]; // the keyboard stays where a line was removed
    if (at >= 0) (next ? next.querySelector("button") : part("place")).focus();
  } else {
    evidence.forEach((one, k) => {
      const slider = list.children[k].querySelector("input");
      if (slider !== document.activeElement) slider.value = one.value;
      list.children[k].querySelector("output").textContent = `${signed(one.value, 1)} sd`;
    });
  }
  part("none").hidden = evidence.length > 0;
  return evidence;
}

/** The change of a node as a table writes it: number and, of an ensemble, interval. */
function changeWords(told, node) {
  if (state.view === "mean") return `${signed(told.mean[node], 2)} sd`;
  if (state.view === "sd") return `${plain(told.sd[node])} sd`;
  const tail = tailOf(told, state.view, node);
  const word = state.view === "both" ? `${tail === "upper" ? content.high : content.low} ` : "";
  const mean = told.difference[tail][node];
  return word + withHalf({ mean, half: told.high ? told.high[tail][node] - mean : NaN });
}

function fillTables(evidence) {
  const answers = shown.filter((one) => one.answer);
  part("results").hidden = !answers.length || !evidence.length;
  if (part("results").hidden) return;
  const given = new Set(evidence.flatMap((one) => one.numbers));
  const labels = answers.map((one) => unbroken(one.model.label));
  const heads = answers.length > 1 ? labels : [{ mean: "mean", sd: "sd", both: "rise" }[state.view] || "change"];
  const most = strongest(answeringOf(answers[0].answer, state.view), given, 10);
  const placeRows = most.map((node) => [named(node), ...answers.map((one) => changeWords(one.answer, node))]);
  part("places").replaceChildren(...tableOf(["place", ...heads], placeRows));
  const wide = regions.filter((region) => !region.point);
  part("regionsSection").hidden = !wide.length;
  const several = answers.length > 1;
  const tails = several ? [state.view === "low" ? "lower" : "upper"] : TAILS; // of two networks the tail that is looked at
  const words = { upper: content.high, lower: content.low };
  const regionRows = wide.map((region) => [
    element("span", { title: region.source }, region.words),
    ...answers.flatMap(({ answer: told }) => tails.map((tail) => withHalf(regionChange(region, told, tail, content.ensemble.width)))),
  ]);
  part("regionsHead").textContent = `Regions: change of the probability of a ${several ? words[tails[0]] : `${words.upper} or ${words.lower}`} extreme`;
  const columns = several ? labels : tails.map((tail) => words[tail]);
  part("regions").replaceChildren(...tableOf(["region", ...columns], regionRows));
}

/** A change and, of an ensemble, half of its interval. */
function withHalf({ mean, half }) {
  return signed(mean, 2) + (Number.isFinite(half) ? ` ± ${half.toFixed(2)}` : "");
}

/** A node in a table; the pointer on it shows it on the map. */
function named(node) {
  const place = places ? places.words[node] : "";
  const show = () => panels.forEach((panel) => panel.point(node));
  const hide = () => panels.forEach((panel) => panel.point(null));
  return element("span", { onpointerenter: show, onpointerleave: hide }, names[node], place ? element("small", {}, ` ${place}`) : null);
}

// ---------------------------------------------------------------- the place under the pointer

function look(node, event = null) {
  looked = node === null ? null : { node, event };
  panels.forEach((panel) => panel.point(node));
  const box = part("readout");
  box.hidden = node === null;
  if (node === null) return;
  box.replaceChildren(...readout(node));
  const mouse = event && event.pointerType === "mouse";
  box.classList.toggle("floating", Boolean(mouse));
  if (mouse) {
    const room = part("maps").getBoundingClientRect();
    const [x, y] = [event.clientX - room.left, event.clientY - room.top];
    box.style.left = `${Math.max(0, x + 18 + box.offsetWidth > room.width ? x - 18 - box.offsetWidth : x + 18)}px`;
    box.style.top = `${y + 18 + box.offsetHeight > room.height ? Math.max(0, y - 18 - box.offsetHeight) : y + 18}px`;
  } else {
    box.style.left = box.style.top = "";
  }
}

/** All that is known of a node under the evidence. */
function readout(node) {
  const lines = [element("strong", {}, names[node]), places ? ` ${places.words[node]}` : ""];
  const inside = regions.filter((region) => !region.point && region.numbers.includes(node)).map((region) => region.words);
  if (inside.length) lines.push(element("small", {}, ` ${inside.slice(0, 2).join(", ")}`));
  const evidence = [...state.evidence].map(([key, value]) => ({ ...quantityOf(key), value }));
  const limit = `${plain(state.threshold)} sd`;
  for (const { model, answer: told } of shown) {
    if (!told) continue;
    if (shown.length > 1) lines.push(element("div", { class: "of" }, model.label));
    for (const tail of TAILS) {
      const event = tail === "upper" ? `P(X ≥ ${limit})` : `P(X ≤ −${limit})`;
      const [before, after] = [told.prior[tail][node], told.posterior[tail][node]];
      const interval = told.low && evidence.length && Number.isFinite(told.low[tail][node]) ? `\u00a0[${signed(told.low[tail][node], 2)},\u00a0${signed(told.high[tail][node], 2)}]` : "";
      const change = evidence.length ? ` → ${percent(after)}` : "";
      lines.push(element("div", {}, `${event}: ${percent(before)}${change}`, evidence.length ? element("b", {}, ` ${signed(after - before, 2)}`) : null, interval));
    }
    lines.push(element("div", {}, `mean ${signed(told.mean[node], 2)} ± ${plain(told.sd[node])} sd`));
    const about = evidence[evidence.length - 1];
    if (about && !about.numbers.includes(node)) lines.push(element("div", {}, correlationWords(model, told, about, node)));
  }
  return lines;
}

/** What the network implies for a pair, beside the sample. */
function correlationWords(model, told, about, node) {
  const implied = told.implied || model.correlations(about);
  const observed = told.sample || (sample && sample.correlations(about));
  return `correlation with ${about.label}: network ${signed(implied[node], 2)}${observed ? `, sample ${signed(observed[node], 2)}` : ""}`;
}

function tell(words) {
  part("live").textContent = words;
}

// ---------------------------------------------------------------- link, PNG, CSV

async function copyLink() {
  const link = location.href.split("#")[0] + toAddress(state, models.length);
  try {
    await navigator.clipboard.writeText(link);
    tell("Link copied.");
  } catch {
    const field = part("link");
    field.hidden = false;
    field.value = link;
    field.select();
    tell("Copy the link from the field.");
  }
}

function saveCsv() {
  const answers = shown.filter((one) => one.answer);
  if (!answers.length) return tell("There is no answer to save.");
  const evidence = new Set([...state.evidence.keys()].flatMap((key) => quantityOf(key).numbers));
  const several = answers.length > 1;
  const heads = ["node", "lat", "lon", "evidence"];
  const columns = [];
  for (const { model, answer: told } of answers) {
    const add = (name, values) => {
      heads.push(several ? `${model.label}: ${name}` : name);
      columns.push(values);
    };
    for (const tail of TAILS) {
      for (const kind of ["prior", "posterior", "difference"]) add(`${kind}_${tail}`, told[kind][tail]);
      if (told.low) for (const kind of ["low", "high", "agreement"]) add(kind === "agreement" ? `agreement_${tail}` : `difference_${tail}_${kind}`, told[kind][tail]);
    }
    add("mean", told.mean);
    add("sd", told.sd);
  }
  const rows = names.map((name, i) => [name, places ? places.lat[i] ?? "" : "", places ? places.lon[i] ?? "" : "", Number(evidence.has(i)), ...columns.map((values) => values[i])]);
  download("answer.csv", new Blob([csvOf([heads, ...rows])], { type: "text/csv" }));
  tell("The answer is saved as answer.csv.");
}

/** The maps that are shown, with titles and bar, and the difference with its own bar under them, as one picture. */
async function savePng() {
  const [maps, [difference]] = [panels.slice(0, shown.length), panels.slice(2).filter((panel) => !panel.figure.hidden)];
  const [wide, gap, head] = [1400, 24, 44];
  const each = (wide - gap * (maps.length + 1)) / maps.length;
  const tall = (each * maps[0].view[3]) / maps[0].view[2];
  const drawn = bars.map((draw) => {
    const svg = shape("svg");
    return { svg, size: [1008, 1.4 * draw(svg, 720)] };
  });
  const below = gap + head + tall + gap + drawn[0].size[1] + gap; // where the difference begins
  const canvas = element("canvas", { width: wide, height: Math.ceil(below + (difference ? head + tall + gap + drawn[1].size[1] : 0)) });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = "#1c2733";
  pen.font = "600 24px system-ui, sans-serif";
  const put = async (svg, x, y, size) => pen.drawImage(await pictureOf(svg, ...size), x, y, ...size);
  const putMap = (panel, x, y) => {
    pen.fillText(panel.title.textContent, x, y + 24, each);
    return put(panel.svg, x, y + head, [each, tall]);
  };
  for (const [k, panel] of maps.entries()) await putMap(panel, gap + k * (each + gap), gap);
  await put(drawn[0].svg, (wide - 1008) / 2, gap + head + tall + gap, drawn[0].size);
  if (difference) {
    await putMap(difference, (wide - each) / 2, below);
    await put(drawn[1].svg, (wide - 1008) / 2, below + head + tall + gap, drawn[1].size);
  }
  download("explorer.png", await new Promise((done) => canvas.toBlob(done, "image/png")));
  tell("The map is saved as explorer.png.");
}

/** A drawing as a picture. */
function pictureOf(svg, width, height) {
  const copy = svg.cloneNode(true);
  copy.querySelectorAll(".ring").forEach((ring) => ring.remove());
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  return picture.decode().then(() => picture);
}

// ---------------------------------------------------------------- controls

/** Put the state into the controls. */
function showState() {
  part(`view-${state.view}`).checked = true;
  part("threshold").value = state.threshold;
  part("thresholdValue").textContent = `${plain(state.threshold)} sd`;
  part("first").value = state.first;
  part("second").value = state.second;
  part("contrast").checked = state.contrast;
  part("contrast").disabled = state.second < 0;
  part("arcs").value = state.arcs;
  part("km").value = state.km;
  part("kmValue").textContent = `${state.km} km`;
}

function change(edit, said = null) {
  edit();
  state.contrast = state.contrast && state.second >= 0;
  showState();
  update(said);
}

function readAddress() {
  const lost = [];
  const known = (key) => quantityOf(key) !== null || !lost.push(key);
  state = fromAddress(location.hash, models.length, known);
  showState();
  update();
  tell(lost.length ? `The link names what this network has not: ${lost.join(", ")}.` : "");
}

function begin() {
  const options = models.map((model, k) => element("option", { value: k }, model.label));
  part("first").append(...options.map((option) => option.cloneNode(true)));
  part("second").append(element("option", { value: -1 }, "nothing"), ...options);
  part("networks").hidden = models.length < 2;
  part("presets").hidden = !places?.elNino;
  part("arcsLong").disabled = !places;
  const listed = names.length <= 1000 ? names : [];
  part("known").append(...[...listed, ...regions.map((one) => one.words)].map((value) => element("option", { value })));
  part("regionChoice").append(...regions.map((one) => element("option", { value: one.key }, one.words)));
  part("regionField").hidden = !regions.length;
  const example = places?.elNino ? numberOf.get(places.elNino) : 0;
  const written = places?.words[example] ? ` or ${places.words[example]}` : "";
  part("place").placeholder = `place: ${names[example]}${written}`;
  part("about").textContent = `${names.length} places, ${models.length > 1 ? `${models.length} networks` : `${models[0].label}, ${models[0].note}`}`;
  const touched = matchMedia("(pointer: coarse)").matches;
  const region = touched ? (regions.length ? " Choose a region for its mean." : "") : area ? " Drag a box for the mean of a region." : "";
  part("hint").textContent = `${touched ? "Tap" : "Click"} a place: it becomes 2 sd ${content.high}er than usual, and the map shows what that means everywhere else.${region}`;
  part("view-high").labels[0].textContent = content.high;
  part("view-low").labels[0].textContent = content.low;
  const on = (id, kind, what) => part(id).addEventListener(kind, what);
  on("elNino", "click", () => preset(2));
  on("laNina", "click", () => preset(-2));
  on("clear", "click", clearAll);
  on("typed", "submit", (event) => {
    event.preventDefault();
    if (part("place").value.trim()) typed(part("place").value.trim());
    part("place").value = "";
  });
  on("regionChoice", "change", () => {
    if (part("regionChoice").value) setEvidence(part("regionChoice").value, 2);
    part("regionChoice").value = "";
  });
  for (const view of VIEWS) on(`view-${view}`, "change", () => change(() => (state.view = view)));
  on("threshold", "input", () => change(() => (state.threshold = Number(part("threshold").value))));
  on("first", "change", () => change(() => (state.first = Number(part("first").value))));
  on("second", "change", () => change(() => (state.second = Number(part("second").value))));
  on("contrast", "change", () => change(() => (state.contrast = part("contrast").checked)));
  on("arcs", "change", () => change(() => (state.arcs = part("arcs").value)));
  on("km", "input", () => change(() => (state.km = Number(part("km").value))));
  on("copy", "click", copyLink);
  on("png", "click", savePng);
  on("csv", "click", saveCsv);
  window.addEventListener("hashchange", readAddress);
  window.addEventListener("resize", () => {
    barRoom = 0;
    render(listEvidence());
  });
  readAddress();
  setTimeout(practise, 20, 20);
}

begin();
