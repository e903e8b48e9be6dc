// One map: a cell or polygon for each place that can be clicked, reached by keys and read aloud; coastline, evidence,
// dots and arcs over it. Nodes that are not on the map stand under it as tiles.
"use strict";

const DRAG = 6; // pixels that a pointer moves before a click becomes a box
const DOT = 7; // radius of a region without a polygon

/** Whether a map shows a node. */
function onMap(places, node) {
  if (!places) return false;
  return places.row[node] >= 0 || Boolean(places.shapes?.[node]) || (places.regional && places.lat[node] !== null);
}

class MapPanel {
  /**
   * @param {object} content of the page
   * @param {{toggle: (node: number) => void, box: (box: number[]) => void, look: (node: number|null, event: Event) => void,
   *   key: (node: number, key: string) => boolean}} handlers
   */
  constructor(content, handlers) {
    this.content = content;
    this.handlers = handlers;
    this.places = content.places;
    this.projection = this.places && new Projection(this.places.projection, this.places.centre);
    this.cells = [];
    this.centres = [];
    this.painted = [];
    this.svg = shape("svg", { class: "map", role: "group", tabindex: -1, preserveAspectRatio: "xMidYMid meet" });
    const [left, top, width, height] = this.frame();
    const tiles = this.tiles(left, top + height, width);
    this.view = [left, top, width, height + tiles.height];
    this.svg.setAttribute("viewBox", this.view.join(" "));
    const group = shape("g", { fill: "currentColor", stroke: "currentColor", "stroke-width": 0.35 });
    const over = (attributes) => shape("path", { fill: "none", "pointer-events": "none", "stroke-linejoin": "round", ...attributes });
    this.dots = over({ stroke: "#111", "stroke-width": 2.4, "stroke-linecap": "round", "vector-effect": "non-scaling-stroke" });
    this.halo = over({ stroke: "#fff", "stroke-width": 4.5, "vector-effect": "non-scaling-stroke" });
    this.boxes = over({ stroke: "#111", "stroke-width": 2, "vector-effect": "non-scaling-stroke" });
    this.ring = over({ stroke: "#e08a00", "stroke-width": 2.5, "vector-effect": "non-scaling-stroke", class: "ring" });
    this.rubber = shape("rect", { class: "rubber", "pointer-events": "none", fill: "#0b5394", "fill-opacity": 0.15, stroke: "#0b5394" });
    this.arcs = shape("g", { fill: "none", "pointer-events": "none", "stroke-linecap": "round" });
    if (this.projection) this.drawCells(group);
    group.append(...tiles.cells);
    const outlines = this.cells.map((cell) => cell.getAttribute("d")).join("");
    this.outlines = over({ d: outlines, class: "outlines", stroke: "#ccd5dd", "stroke-width": 0.6, "vector-effect": "non-scaling-stroke" });
    const borders = over({ d: this.borders(), stroke: "#7b8794", "stroke-width": 0.7, "vector-effect": "non-scaling-stroke" });
    const clip = `map${document.querySelectorAll("svg.map").length}`; // the world ends where the tiles begin
    this.svg.append(shape("clipPath", { id: clip }, shape("rect", { x: left, y: top, width, height })));
    const clipped = (...parts) => shape("g", { "clip-path": `url(#${clip})` }, ...parts);
    this.svg.append(clipped(this.ground()), group, this.outlines, borders, ...tiles.letters, clipped(...this.coast(over)), this.dots, this.arcs, this.halo, this.boxes, this.ring);
    this.cells.forEach((cell, node) => {
      const place = this.places ? this.places.words[node] : "";
      const name = content.names[node] + (place ? `, ${place}` : "");
      for (const [key, value] of Object.entries({ role: "button", tabindex: -1, "aria-label": name, "aria-pressed": "false", "data-node": node })) {
        cell.setAttribute(key, value);
      }
    });
    if (this.cells.length) this.cells[0].setAttribute("tabindex", 0);
    this.listen();
  }

  /** What part of the world is shown: [left, top, width, height]. */
  frame() {
    if (!this.content.names.some((_, node) => onMap(this.places, node))) return [0, 0, 720, 0];
    const whole = [0, 0, 360 * UNIT, 2 * this.projection.top * UNIT];
    if (!this.places.frame) return [-3, -3, whole[2] + 6, whole[3] + 6];
    const [west, east, south, north] = this.places.frame;
    const points = [];
    for (let k = 0; k <= 72; k++) {
      for (const lat of [south, Math.min(north, Math.max(south, 0)), north]) {
        const lon = west + ((east - west) * k) / 72;
        points.push(this.projection.place(180 + lon - this.places.centre, lat));
      }
    }
    const xs = points.map((point) => point[0]);
    const ys = points.map((point) => point[1]);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const [spareX, spareY] = [0.03 * (right - left), 0.03 * (bottom - top)];
    return [left - spareX, top - spareY, right - left + 2 * spareX, bottom - top + 2 * spareY];
  }

  /** The globe under the cells; grey where no place is. */
  ground() {
    const outline = this.projection ? this.projection.box(0, 360, -90, 90) : "";
    return shape("path", { d: outline, fill: "#e7eaed", stroke: "#8796a5", "stroke-width": 1, "vector-effect": "non-scaling-stroke" });
  }

  coast(over) {
    if (!this.projection) return [];
    const points = unpackNumbers(this.places.coast.points);
    let at = 0;
    const path = this.places.coast.lengths
      .map((length) => {
        const line = [];
        for (let k = 0; k < length; k++, at++) line.push([points[2 * at], points[2 * at + 1]]);
        return this.projection.line(line);
      })
      .join("");
    const thin = { d: path, "vector-effect": "non-scaling-stroke" };
    return [
      over({ ...thin, stroke: "#fff", "stroke-opacity": 0.5, "stroke-width": 1.9 }),
      over({ ...thin, stroke: "#404040", "stroke-width": 0.7 }),
    ];
  }

  drawCells(group) {
    const { lat, lon } = this.places;
    this.content.names.forEach((_, node) => {
      if (!onMap(this.places, node)) return;
      this.centres[node] = this.projection.point(lon[node], lat[node]);
      this.cells[node] = shape("path", { d: this.outline(node), "fill-rule": "evenodd" });
      group.append(this.cells[node]);
    });
  }

  /** The sides of a node on the map: its cell, its polygon, or a dot at its place. */
  outline(node) {
    const { row, column, south, north, west, east, poles, shapes } = this.places;
    if (row[node] >= 0) {
      const [r, c] = [row[node], column[node]];
      const sides = poles.includes(node) ? [0, 360] : [west[c], east[c]];
      return this.projection.cell(...sides, south[r], north[r]);
    }
    if (shapes?.[node]) return shapes[node].map((ring) => this.projection.ring(ring)).join("");
    const [x, y] = this.centres[node];
    return `M${x - DOT} ${y}a${DOT} ${DOT} 0 1 0 ${2 * DOT} 0a${DOT} ${DOT} 0 1 0 ${-2 * DOT} 0Z`;
  }

  /** The outlines of all polygons and tiles: one must see where they end. */
  borders() {
    const polygons = (this.places?.shapes || []).map((own, node) => (own ? this.outline(node) : ""));
    return [...polygons, ...this.cells.filter((cell) => cell.dataset.tile).map((cell) => cell.getAttribute("d"))].join("");
  }

  /** The outline of several nodes together: of cells side by side only the sides without a neighbour among them. */
  around(nodes) {
    const { row, column, south, north, west, east, poles } = this.places || { row: [], poles: [] };
    const cells = nodes.filter((node) => row[node] >= 0 && !poles.includes(node));
    const lone = nodes.filter((node) => !cells.includes(node)).map((node) => this.cells[node].getAttribute("d"));
    const there = new Set(cells.map((node) => `${row[node]} ${column[node]}`));
    const up = south?.[1] > south?.[0] ? 1 : -1; // the next row lies north or south of the last
    const count = west && east[west.length - 1] - west[0] > 360 - 1e-6 ? west.length : Infinity; // columns around the globe
    const sides = cells.flatMap((node) => {
      const [r, c] = [row[node], column[node]];
      const beside = (rows, columns) => there.has(`${r + rows} ${count < Infinity ? (c + columns + count) % count : c + columns}`);
      const [left, right] = [west[c] + 1e-9, east[c] - 1e-9];
      return [
        [beside(up, 0), left, right, north[r], north[r]],
        [beside(-up, 0), left, right, south[r], south[r]],
        [beside(0, -1), left, left, south[r], north[r]],
        [beside(0, 1), right, right, south[r], north[r]],
      ];
    });
    return lone.join("") + sides.filter(([hidden]) => !hidden).map((side) => this.projection.side(...side.slice(1))).join("");
  }

  /** Tiles of the nodes without a cell, in rows over the width of the map. */
  tiles(left, top, width) {
    const free = this.content.names.map((_, node) => node).filter((node) => !onMap(this.places, node));
    if (!free.length) return { height: 0, cells: [], letters: [] };
    const count = Math.min(free.length, Math.max(4, Math.ceil(Math.sqrt(free.length * 1.6))));
    const size = Math.min(width / count, 120);
    const height = Math.min(size, Math.max(28, size / 2));
    const cells = [];
    const letters = [];
    free.forEach((node, k) => {
      const x = left + (k % count) * size;
      const y = top + 6 + Math.floor(k / count) * height;
      this.cells[node] = shape("path", { d: `M${x + 1} ${y + 1}h${size - 2}v${height - 2}h${2 - size}Z`, "data-tile": "yes" });
      this.centres[node] = [x + size / 2, y + height / 2];
      cells.push(this.cells[node]);
      const room = Math.floor(size / 7.5);
      const name = this.content.names[node];
      if (room >= 2) {
        const text = name.length > room ? `${name.slice(0, room - 1)}…` : name;
        const look = { x: x + size / 2, y: y + height / 2 + 4, "text-anchor": "middle", "font-size": 12, "pointer-events": "none" };
        letters.push(shape("text", { ...look, "font-family": "system-ui, sans-serif", stroke: "#fff", "stroke-width": 3, "paint-order": "stroke" }, text));
      }
    });
    return { height: 12 + Math.ceil(free.length / count) * height, cells, letters };
  }

  /** Colours of the nodes. @param {string[]} colours */
  paint(colours) {
    colours.forEach((colour, node) => {
      if (this.painted[node] !== colour) this.cells[node].setAttribute("color", (this.painted[node] = colour));
    });
  }

  /** Outline the nodes of evidence; where there is none, all that can be clicked. @param {Evidence[]} evidence */
  mark(evidence) {
    this.outlines.setAttribute("display", evidence.length ? "none" : "inline");
    const path = evidence.map((one) => this.around(one.numbers)).join("");
    this.halo.setAttribute("d", path);
    this.boxes.setAttribute("d", path);
    const alone = new Set(evidence.filter((one) => one.node >= 0).map((one) => one.node));
    for (const node of this.pressed || []) if (!alone.has(node)) this.cells[node].setAttribute("aria-pressed", "false");
    for (const node of alone) this.cells[node].setAttribute("aria-pressed", "true");
    this.pressed = alone;
  }

  /** Dots on the nodes where members disagree. @param {number[]} nodes */
  stipple(nodes) {
    this.dots.setAttribute("d", nodes.map((node) => `M${written(this.centres[node])}h0`).join(""));
  }

  /** Arcs as great circles, wider the stronger, dashed where negative. @param {{a: number, b: number}[]} edges */
  drawArcs(edges) {
    const largest = Math.max(...edges.map((edge) => edge.strength), 0);
    const classes = new Map();
    for (const edge of edges) {
      const width = Math.ceil(4 * Math.sqrt(Math.max(edge.strength, 0) / (largest || 1))) || 1;
      const key = `${width}${edge.weight < 0 ? "−" : "+"}`;
      edge.path ??= this.arcPath(edge);
      classes.set(key, (classes.get(key) || "") + edge.path);
    }
    const drawn = [...classes].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([key, path]) => {
      const width = 0.4 + 0.55 * Number(key[0]);
      const look = { d: path, "vector-effect": "non-scaling-stroke", "stroke-dasharray": key[1] === "−" ? "5 4" : null };
      return [
        shape("path", { ...look, stroke: "#fff", "stroke-opacity": 0.45, "stroke-width": width + 1.4 }),
        shape("path", { ...look, stroke: "#3d1a63", "stroke-opacity": 0.85, "stroke-width": width }),
      ];
    });
    this.arcs.replaceChildren(...drawn);
  }

  arcPath({ a, b }) {
    const { lat, lon } = this.places || { lat: [], lon: [] };
    if (Number.isFinite(lat[a]) && Number.isFinite(lat[b])) {
      return this.projection.line(greatCircle(lon[a], lat[a], lon[b], lat[b]));
    }
    return `M${written(this.centres[a])}L${written(this.centres[b])}`;
  }

  /** Show the ring around a node, or none. */
  point(node) {
    this.ring.setAttribute("d", node === null ? "" : this.cells[node].getAttribute("d"));
  }

  /** Give the keyboard to a node. */
  focus(node) {
    this.reach(node);
    this.cells[node].focus({ preventScroll: true });
  }

  /** Make a node the one that the tabulator key reaches. */
  reach(node) {
    this.svg.querySelector('[tabindex="0"]')?.setAttribute("tabindex", -1);
    this.cells[node].setAttribute("tabindex", 0);
  }

  listen() {
    const nodeOf = (event) => {
      const cell = event.target.closest?.("[data-node]");
      return cell ? Number(cell.dataset.node) : null;
    };
    let start = null;
    let dragged = false;
    this.svg.addEventListener("pointerdown", (event) => {
      dragged = false;
      start = event.button === 0 && event.pointerType !== "touch" && this.projection && !this.places.regional ? event : null;
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (start && (event.buttons & 1) === 0) start = null;
      if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > DRAG) {
        if (!dragged) this.svg.setPointerCapture(event.pointerId); // a box may be let go beside the map
        dragged = true;
        this.stretch(start, event);
      }
      this.handlers.look(dragged && start ? null : nodeOf(event), event);
    });
    this.svg.addEventListener("pointerleave", (event) => this.handlers.look(null, event));
    this.svg.addEventListener("pointerup", (event) => {
      if (start && dragged) this.handlers.box(this.boxBetween(start, event));
      this.rubber.remove();
      start = null;
    });
    this.svg.addEventListener("pointercancel", () => {
      this.rubber.remove();
      start = null;
    });
    this.svg.addEventListener("click", (event) => {
      const node = nodeOf(event);
      if (node !== null && !dragged) this.handlers.toggle(node, this);
      dragged = false;
    });
    this.svg.addEventListener("focusin", (event) => {
      if (event.target.matches(":focus-visible")) this.handlers.look(nodeOf(event), event);
    });
    this.svg.addEventListener("keydown", (event) => {
      const node = nodeOf(event);
      if (node === null || event.ctrlKey || event.metaKey || event.altKey) return;
      const directions = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      if (directions[event.key]) {
        const next = this.neighbour(node, ...directions[event.key]);
        if (next !== null) this.focus(next);
      } else if (!this.handlers.key(node, event.key, this)) return;
      event.preventDefault();
    });
  }

  /** The nearest node in a direction. */
  neighbour(node, right, down) {
    const [x, y] = this.centres[node];
    let best = null;
    let least = Infinity;
    this.centres.forEach(([cx, cy], other) => {
      const along = (cx - x) * right + (cy - y) * down;
      const aside = Math.abs((cx - x) * down) + Math.abs((cy - y) * right);
      const far = along + 3 * aside;
      if (along > 0.5 && aside <= 1.2 * along && far < least) [best, least] = [other, far];
    });
    return best;
  }

  /** A point of the drawing under the pointer. */
  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  stretch(start, event) {
    const [[x1, y1], [x2, y2]] = [this.at(start), this.at(event)];
    const sides = { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
    for (const [name, value] of Object.entries(sides)) this.rubber.setAttribute(name, value);
    if (!this.rubber.isConnected) this.svg.append(this.rubber);
  }

  /** [south, north, west, east] in whole degrees between two pointers. */
  boxBetween(start, end) {
    const [[x1, y1], [x2, y2]] = [this.at(start), this.at(end)];
    const whole = (value) => Math.round(value) + 0;
    const middle = (y1 + y2) / 2;
    const [west, east] = [Math.min(x1, x2), Math.max(x1, x2)].map((x) => whole(this.projection.inverse(x, middle)[0]));
    const around = west === east && Math.abs(x2 - x1) > this.view[2] / 2; // from edge to edge
    const [south, north] = [Math.max(y1, y2), Math.min(y1, y2)].map((y) => whole(this.projection.inverse(x1, y)[1]));
    return around ? [south, north, -180, 180] : [south, north, west, east];
  }
}
