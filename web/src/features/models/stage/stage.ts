/** What a drawing of a graph can do, in space or flat. */

/** Everything to draw; arrays run along the nodes or the links. */
export interface Scene {
  /** Three numbers a node. */
  readonly positions: Float32Array;
  readonly radii: Float32Array;
  /** Places in `palette`. */
  readonly colours: Uint8Array;
  readonly palette: readonly string[];
  /** Two places of nodes a link. */
  readonly links: Uint32Array;
  /** Of the floor and the mark around the selected node. */
  readonly line: string;
  readonly ink: string;
}

export interface Stage {
  draw: (scene: Scene) => void;
  /** Which nodes are there: 1 or 0 each. Links show when both their ends do. */
  show: (visible: Uint8Array) => void;
  select: (node: number) => void;
  /** The node under a place of the element, in its pixels; -1 for none. */
  pick: (x: number, y: number) => number;
  /** Where a node is on the element; null when it is behind the eye. */
  project: (node: number) => readonly [number, number] | null;
  rotate: (right: number, up: number) => void;
  zoom: (factor: number) => void;
  /** Brings everything into view, from where the eye is. */
  fit: () => void;
  /** Back to where the eye was at first. */
  reset: () => void;
  /** Turns slowly by itself. */
  spin: (on: boolean) => void;
  /** The picture as a data address. */
  picture: () => string;
  /** Frees what the graphics card holds. */
  dispose: () => void;
}

/** The node nearest to a place among those that are drawn over it. */
export function nearest(count: number, x: number, y: number, at: (node: number) => readonly [number, number] | null, radius: (node: number) => number): number {
  let found = -1;
  let best = Infinity;
  for (let node = 0; node < count; node++) {
    const place = at(node);
    if (!place) continue;
    const distance = Math.hypot(place[0] - x, place[1] - y);
    // A few pixels more, so that small ones can be hit.
    const reach = radius(node) + 4;
    if (distance > reach || distance / reach >= best) continue;
    best = distance / reach;
    found = node;
  }
  return found;
}
