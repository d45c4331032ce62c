/** Where the nodes of a graph stand: forces that begin at the same places each time, so that the same rows are the same picture. */

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Shares of what is usual: 1 leaves a force as it is. */
export interface Forces {
  readonly repulsion: number;
  readonly gravity: number;
  readonly edgeLength: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A link by the places of its nodes in their list. */
export type Ends = readonly [number, number];

/** Every node pushes every other one: so many pushes take a moment, and more nodes get fewer passes. */
const MOST_PUSHES = 6_000_000;
const MOST_PASSES = 300;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Places around 0, the longer way of the graph lying across; nothing is known here of the card, so that a graph keeps its shape at every size. */
export function places(nodes: number, links: readonly Ends[], { repulsion, gravity, edgeLength }: Forces): Place[] {
  const [x, y] = [new Float64Array(nodes), new Float64Array(nodes)];
  const [moveX, moveY] = [new Float64Array(nodes), new Float64Array(nodes)];
  // What has many links needs much room around it.
  const weight = new Float64Array(nodes).fill(1);
  const pulls = links.filter(([a, b]) => a !== b);
  for (const end of pulls.flat()) weight[end] = at(weight, end) + 0.5;
  for (let i = 0; i < nodes; i += 1) {
    x[i] = Math.sqrt(i + 0.5) * Math.cos(i * GOLDEN);
    y[i] = Math.sqrt(i + 0.5) * Math.sin(i * GOLDEN);
  }
  const push = (i: number, j: number) => {
    const [dx, dy] = [at(x, i) - at(x, j), at(y, i) - at(y, j)];
    const force = (repulsion * at(weight, i) * at(weight, j)) / Math.max(dx * dx + dy * dy, 0.01);
    moveX[i] = at(moveX, i) + dx * force;
    moveY[i] = at(moveY, i) + dy * force;
    moveX[j] = at(moveX, j) - dx * force;
    moveY[j] = at(moveY, j) - dy * force;
  };
  const pull = ([i, j]: Ends) => {
    const [dx, dy] = [(at(x, i) - at(x, j)) / edgeLength, (at(y, i) - at(y, j)) / edgeLength];
    moveX[i] = at(moveX, i) - dx;
    moveY[i] = at(moveY, i) - dy;
    moveX[j] = at(moveX, j) + dx;
    moveY[j] = at(moveY, j) + dy;
  };
  const passes = Math.min(MOST_PASSES, Math.ceil((2 * MOST_PUSHES) / (nodes * nodes)));
  for (let pass = 0; pass < passes; pass += 1) {
    for (let i = 0; i < nodes; i += 1) {
      moveX[i] = -gravity * at(weight, i) * at(x, i);
      moveY[i] = -gravity * at(weight, i) * at(y, i);
    }
    for (let i = 1; i < nodes; i += 1) for (let j = 0; j < i; j += 1) push(i, j);
    for (const ends of pulls) pull(ends);
    // The steps get shorter, until everything stands.
    const longest = 0.5 * Math.sqrt(nodes) * (1 - pass / passes) ** 2;
    for (let i = 0; i < nodes; i += 1) {
      const far = Math.hypot(at(moveX, i), at(moveY, i));
      const step = far > 0 ? Math.min(0.2 * far / at(weight, i), longest) / far : 0;
      x[i] = at(x, i) + at(moveX, i) * step;
      y[i] = at(y, i) + at(moveY, i) * step;
    }
  }
  return across(Array.from(x, (one, i) => ({ x: one, y: at(y, i) })));
}

/** A typed array's number; its places are all there. */
const at = (list: Float64Array, index: number): number => list[index] ?? 0;

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** Turned around its middle until it reaches farthest along x. */
function across(all: readonly Place[]): Place[] {
  const [middleX, middleY] = [sum(all.map(({ x }) => x)) / all.length, sum(all.map(({ y }) => y)) / all.length];
  const moved = all.map(({ x, y }) => ({ x: x - middleX, y: y - middleY }));
  const turn = 0.5 * Math.atan2(2 * sum(moved.map(({ x, y }) => x * y)), sum(moved.map(({ x, y }) => x * x - y * y)));
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return moved.map(({ x, y }) => ({ x: x * cos + y * sin, y: y * cos - x * sin }));
}

/** No way is stretched more than so many times the other one. */
const MOST_STRETCH = 3.5;
/** Links of few nodes are no longer than this share of the box. */
const LONGEST_LINK = 0.5;

/** The places in a box of pixels, filling it. */
export function fitted(all: readonly Place[], links: readonly Ends[], box: Box): Place[] {
  const [width, height] = [Math.max(1, box.right - box.left), Math.max(1, box.bottom - box.top)];
  const lying = width >= height ? all : all.map(({ x, y }) => ({ x: y, y: x }));
  const { left, top, right, bottom } = reach(lying);
  const [fullX, fullY] = [width / Math.max(right - left, 1e-9), height / Math.max(bottom - top, 1e-9)];
  const least = Math.min(fullX, fullY);
  const [stretchX, stretchY] = [Math.min(fullX, least * MOST_STRETCH), Math.min(fullY, least * MOST_STRETCH)];
  const lengths = links.map(([a, b]) => Math.hypot(((lying[a]?.x ?? 0) - (lying[b]?.x ?? 0)) * stretchX, ((lying[a]?.y ?? 0) - (lying[b]?.y ?? 0)) * stretchY));
  const mean = sum(lengths) / Math.max(1, lengths.length);
  const shrink = Math.min(1, (LONGEST_LINK * Math.sqrt(width * height)) / Math.max(mean, 1e-9));
  const [middleX, middleY] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return lying.map(({ x, y }) => ({ x: middleX + (x - (left + right) / 2) * stretchX * shrink, y: middleY + (y - (top + bottom) / 2) * stretchY * shrink }));
}

/** The box that places reach to. */
export function reach(all: readonly Place[]): Box {
  const first = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  return all.reduce((box, { x, y }) => ({ left: Math.min(box.left, x), top: Math.min(box.top, y), right: Math.max(box.right, x), bottom: Math.max(box.bottom, y) }), first);
}

/** Pixels between two nodes. */
const BETWEEN = 2;

/** The places with discs of these radii apart from each other, as far as the box has room. */
export function apart(all: readonly Place[], radii: readonly number[], box: Box): Place[] {
  const [x, y] = [Float64Array.from(all, (place) => place.x), Float64Array.from(all, (place) => place.y)];
  const push = (i: number, j: number) => {
    const [dx, dy] = [at(x, i) - at(x, j), at(y, i) - at(y, j)];
    const far = Math.hypot(dx, dy);
    const lacking = (radii[i] ?? 0) + (radii[j] ?? 0) + BETWEEN - far;
    if (lacking <= 0) return;
    const [shareX, shareY] = far > 0 ? [(0.5 * lacking * dx) / far, (0.5 * lacking * dy) / far] : [0.5 * lacking, 0];
    x[i] = within(at(x, i) + shareX, box.left, box.right);
    y[i] = within(at(y, i) + shareY, box.top, box.bottom);
    x[j] = within(at(x, j) - shareX, box.left, box.right);
    y[j] = within(at(y, j) - shareY, box.top, box.bottom);
  };
  const passes = Math.min(20, MOST_PUSHES / (all.length * all.length));
  for (let pass = 0; pass < passes; pass += 1) for (let i = 1; i < all.length; i += 1) for (let j = 0; j < i; j += 1) push(i, j);
  return all.map((_, i) => ({ x: at(x, i), y: at(y, i) }));
}

const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));
