// Where things are on the map: Robinson's projection around a meridian, cells, lines, great circles.
"use strict";

const UNIT = 2; // units of the drawing for each degree of the equator
const FINEST = 2.5; // degrees between the points of a curved side

/** Robinson's map, known by its width and height at each whole degree of latitude. */
class Projection {
  /** @param {{x: number[], y: number[]}} table @param {number} centre longitude in the middle */
  constructor(table, centre) {
    this.table = table;
    this.centre = centre;
    this.top = table.y[180];
  }

  /** Degrees east of the left edge, 0 … 360. */
  fromEdge(lon) {
    return (((lon - this.centre + 180) % 360) + 360) % 360;
  }

  /** A point by its degrees from the left edge. @returns {[number, number]} */
  place(east, lat) {
    const at = Math.min(179, Math.max(0, Math.floor(lat + 90)));
    const share = lat + 90 - at;
    const between = (values) => values[at] + share * (values[at + 1] - values[at]);
    const x = (east - 180) * between(this.table.x);
    return [UNIT * (180 + x), UNIT * (this.top - between(this.table.y))];
  }

  /** @param {number} lon @param {number} lat @returns {[number, number]} */
  point(lon, lat) {
    return this.place(this.fromEdge(lon), lat);
  }

  /** The place at a point of the drawing: [lon, lat], clipped to the map. */
  inverse(x, y) {
    const height = this.top - y / UNIT;
    let low = 0;
    let high = 180;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.table.y[middle] <= height) low = middle;
      else high = middle;
    }
    const share = (height - this.table.y[low]) / (this.table.y[high] - this.table.y[low]);
    const lat = Math.min(90, Math.max(-90, low + share - 90));
    const at = Math.round(lat + 90);
    const east = Math.min(180, Math.max(-180, (x / UNIT - 180) / this.table.x[at]));
    const lon = this.centre + east;
    return [((((lon + 180) % 360) + 360) % 360) - 180, lat];
  }

  /** The outline of a box of latitudes and degrees from the left edge; its meridians are curved. */
  box(west, east, south, north) {
    const steps = Math.max(1, Math.ceil((north - south) / FINEST));
    const right = [];
    const left = [];
    for (let k = 0; k <= steps; k++) {
      const lat = south + ((north - south) * k) / steps;
      right.push(this.place(east, lat));
      left.push(this.place(west, lat));
    }
    return `M${[...right, ...left.reverse()].map(written).join("L")}Z`;
  }

  /** A cell, in two parts where the edge of the map cuts it. */
  cell(west, east, south, north) {
    if (east - west >= 360) return this.box(0, 360, south, north);
    const from = this.fromEdge(west + 1e-9);
    const to = from + (east - west);
    if (to <= 360 + 1e-6) return this.box(from, Math.min(to, 360), south, north);
    return this.box(from, 360, south, north) + this.box(0, to - 360, south, north);
  }

  /** A ring that Python projected: x and y in turn, in degrees of the equator from the middle of the map. */
  ring(values) {
    const points = [];
    for (let k = 0; k < values.length; k += 2) {
      points.push([UNIT * (180 + values[k]), UNIT * (this.top - values[k + 1])]);
    }
    return `M${points.map(written).join("L")}Z`;
  }

  /** A side of a cell, from one place to another along a meridian or a parallel. */
  side(lon1, lon2, lat1, lat2) {
    const steps = Math.max(1, Math.ceil(Math.max(lon2 - lon1, lat2 - lat1) / FINEST));
    const points = [];
    for (let k = 0; k <= steps; k++) points.push([lon1 + ((lon2 - lon1) * k) / steps, lat1 + ((lat2 - lat1) * k) / steps]);
    return this.line(points);
  }

  /** A line of [lon, lat], cut where it leaves the map. */
  line(points) {
    let path = "";
    let last = null;
    for (const [lon, lat] of points) {
      const east = this.fromEdge(lon);
      path += (last === null || Math.abs(east - last) > 180 ? "M" : "L") + written(this.place(east, lat));
      last = east;
    }
    return path;
  }
}

function written([x, y]) {
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}

/** Points on the great circle between two places. @returns {[number, number][]} */
function greatCircle(lon1, lat1, lon2, lat2) {
  const a = onSphere(lon1, lat1);
  const b = onSphere(lon2, lat2);
  const cosine = Math.min(1, Math.max(-1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]));
  const angle = Math.acos(cosine);
  const steps = Math.max(2, Math.ceil(angle / 0.05));
  const points = [];
  for (let k = 0; k <= steps; k++) {
    const share = k / steps;
    const [p, q] =
      angle < 1e-9
        ? [1, 0]
        : [Math.sin((1 - share) * angle) / Math.sin(angle), Math.sin(share * angle) / Math.sin(angle)];
    const [x, y, z] = a.map((value, i) => p * value + q * b[i]);
    points.push([(Math.atan2(y, x) * 180) / Math.PI, (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI]);
  }
  return points;
}

/** Kilometres between two places. */
function distance(lon1, lat1, lon2, lat2) {
  const [a, b] = [onSphere(lon1, lat1), onSphere(lon2, lat2)];
  const half = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 2;
  return 2 * 6371 * Math.asin(Math.min(1, half));
}

function onSphere(lon, lat) {
  const [east, north] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

/**
 * The nodes in a box and their weights in its area-weighted mean, as climatebn.Region has them.
 * @param {[number, number, number, number]} box south, north, west, east
 */
function boxWeights([south, north, west, east], places, area) {
  const width = east - west === 360 ? 360 : (((east - west) % 360) + 360) % 360;
  const within = (lon) => ((((lon - west + 1e-9) % 360) + 360) % 360) <= width + 2e-9;
  const columns = places.gridLon.filter(within).length;
  const numbers = [];
  const weights = [];
  places.lat.forEach((lat, i) => {
    if (places.row[i] < 0 || lat < south || lat > north) return;
    const pole = places.poles.includes(i);
    if (!(pole ? columns > 0 : within(places.lon[i]))) return;
    numbers.push(i);
    weights.push(area[i] * (pole ? columns : 1));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { numbers, weights: weights.map((weight) => weight / total) };
}
