/** What a drawing of a graph can do, in space or flat. */
import type { Mark } from '../layout/place';

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
  /** Nodes that are boxes: 1, others 0. */
  readonly boxes: Uint8Array | null;
  /** Links stand on walls that reach down to the floor. */
  readonly walls: boolean;
  /** It stands in a row: its width must fit, not its depth. */
  readonly row: boolean;
  /** The direction in which the eye is at first. */
  readonly eye: readonly [number, number, number];
  /** The eye stays where it is when another scene follows. */
  readonly steady: boolean;
  /** Written over the picture by whoever shows it. */
  readonly marks: readonly Mark[];
  /** Of the floor, of the mark around the selected node, and of what is far away. */
  readonly line: string;
  readonly ink: string;
  readonly back: string;
}

export interface Stage {
  draw: (scene: Scene) => void;
  /** Which nodes are there: 1 or 0 each. Links show when both their ends do. */
  show: (visible: Uint8Array) => void;
  select: (node: number) => void;
  /** The node under a place of the element, in its pixels; -1 for none. */
  pick: (x: number, y: number) => number;
  /** Where a place of the room is on the element; null when it is behind the eye. */
  locate: (place: readonly [number, number, number]) => readonly [number, number] | null;
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

/** Says on the element how many nodes it draws. */
export function tellDrawn(element: HTMLElement, visible: Uint8Array): void {
  element.dataset['drawn'] = String(visible.reduce((sum, one) => sum + one, 0));
}
