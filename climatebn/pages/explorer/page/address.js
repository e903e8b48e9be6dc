// The state of the page in its address, #e=X81:2&t=1&v=both: a link brings back the view.
"use strict";

const VIEWS = ["high", "low", "both", "mean", "sd"];
const LARGEST_VALUE = 3;

/**
 * @typedef {{evidence: Map<string, number>, threshold: number, view: string, first: number, second: number,
 *   contrast: boolean, arcs: "none"|"place"|"long", km: number}} State
 */

/** @returns {State} */
function emptyState() {
  return {
    evidence: new Map(),
    threshold: 1,
    view: "both",
    first: 0,
    second: -1,
    contrast: false,
    arcs: "none",
    km: 5000,
  };
}

/** @param {State} state @param {number} models how many there are @returns {string} with its # */
function toAddress(state, models) {
  const fresh = emptyState();
  const parts = [];
  const evidence = [...state.evidence].map(([key, value]) => `${encodeURIComponent(key)}:${value}`);
  if (evidence.length) parts.push(`e=${evidence.join(",")}`);
  parts.push(`t=${state.threshold}`, `v=${state.view}`);
  if (models > 1) parts.push(`n=${state.first}`, `m=${state.second}`);
  if (state.contrast) parts.push("d=1");
  if (state.arcs !== fresh.arcs) parts.push(`a=${state.arcs}`);
  if (state.km !== fresh.km) parts.push(`k=${state.km}`);
  return `#${parts.join("&")}`;
}

/**
 * What an address says; what it says wrongly is left out. @param {string} hash @param {number} models how many there are
 * @param {(key: string) => boolean} known whether there is such a place or region @returns {State}
 */
function fromAddress(hash, models, known) {
  const state = emptyState();
  if (hash.length < 2) return { ...state, second: models > 1 ? 1 : -1 };
  const said = new Map(
    hash
      .replace(/^#/, "")
      .split("&")
      .map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]),
  );
  for (const part of (said.get("e") || "").split(",").filter(Boolean)) {
    const cut = part.lastIndexOf(":");
    const key = decoded(part.slice(0, cut));
    const value = Number(part.slice(cut + 1));
    if (cut > 0 && key !== null && known(key) && Number.isFinite(value)) state.evidence.set(key, value);
  }
  const number = (name, low, high) => {
    const value = said.has(name) && said.get(name) !== "" ? Number(said.get(name)) : NaN;
    return value >= low && value <= high ? value : null;
  };
  state.threshold = number("t", 0, 10) ?? state.threshold;
  if (VIEWS.includes(said.get("v"))) state.view = said.get("v");
  state.first = Math.floor(number("n", 0, models - 1) ?? state.first);
  state.second = Math.floor(number("m", -1, models - 1) ?? state.second);
  state.contrast = said.get("d") === "1" && state.second >= 0;
  if (["none", "place", "long"].includes(said.get("a"))) state.arcs = said.get("a");
  state.km = number("k", 0, 20000) ?? state.km;
  return state;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
