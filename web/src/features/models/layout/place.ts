/** Where nodes stand, always the same for the same graph, and what is written beside them. */
import type { Layout } from '../model';
import type { Graph } from '../rows';
import { asBlocks } from './blocks';
import { byForce } from './force';
import type { Place } from './room';
import { asCurves, byTime } from './time';

/** A word in the room: of an axis, or the name of a node. */
export interface Mark {
  readonly at: Place;
  readonly text: string;
  /** The node it names; -1 for a word of an axis. */
  readonly node: number;
}

export interface Placed {
  /** Three numbers a node. */
  readonly positions: Float32Array;
  readonly radii: Float32Array;
  readonly marks: readonly Mark[];
  /** Nodes that are boxes: 1, others 0. */
  readonly boxes: Uint8Array | null;
  /** Links stand on walls that reach down to the floor. */
  readonly walls: boolean;
  /** It stands in a row: its width must fit, not its depth. */
  readonly row: boolean;
  /** The direction in which the eye is at first. */
  readonly eye: Place;
}

/** The names of kinds, and moments, as the language on show writes them. */
export interface Words {
  kind: (kind: string) => string;
  moment: (ms: number) => string;
}

export function place(graph: Graph, layout: Layout, kinds: readonly string[], words: Words): Placed {
  if (layout === 'blocks' || layout === 'columns') return asBlocks(graph, kinds, layout === 'columns', words);
  if (layout === 'time') return byTime(graph, kinds, words);
  return layout === 'curve' ? asCurves(graph, kinds, words) : byForce(graph);
}
