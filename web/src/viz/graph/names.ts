/** On which side of its node each name stands: inside of the card and on no other name, and where it can on no node and on no link of its own. */
import { widthOf } from '../axis-names';
import type { Box, Ends, Place } from './layout';

export type Side = 'right' | 'left' | 'bottom' | 'top';

export interface Named extends Place {
  /** Half of the node's size. */
  readonly radius: number;
  /** Empty where no name is wanted. */
  readonly name: string;
}

interface Card {
  readonly width: number;
  readonly height: number;
  readonly fontSize: number;
}

/** Pixels between a node and its name, as charts draw them. */
const GAP = 5;
/** Pixels that stay free at the edges of the card: how wide a name is, is a guess. */
const EDGE = 4;
const SIDES: readonly Side[] = ['right', 'left', 'bottom', 'top'];

const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function boxOf({ x, y, radius }: Named, side: Side, width: number, height: number): Box {
  const away = radius + GAP;
  const left = side === 'right' ? x + away : side === 'left' ? x - away - width : x - width / 2;
  const top = side === 'bottom' ? y + away : side === 'top' ? y - away - height : y - height / 2;
  return { left, top, right: left + width, bottom: top + height };
}

/** Whether a straight line runs through a box. */
function crosses(from: Place, to: Place, box: Box): boolean {
  let [enters, leaves] = [0, 1];
  for (const [start, way, least, most] of [[from.x, to.x - from.x, box.left, box.right], [from.y, to.y - from.y, box.top, box.bottom]] as const) {
    if (way === 0 && (start < least || start > most)) return false;
    if (way === 0) continue;
    const [one, other] = [(least - start) / way, (most - start) / way];
    enters = Math.max(enters, Math.min(one, other));
    leaves = Math.min(leaves, Math.max(one, other));
  }
  return enters < leaves;
}

/** A side for each name; earlier ones choose first. Null where no side has room. */
export function sidesOf(nodes: readonly Named[], links: readonly Ends[], { width, height, fontSize }: Card): (Side | null)[] {
  const near: Place[][] = nodes.map(() => []);
  for (const [a, b] of links) {
    const [one, other] = [nodes[a], nodes[b]];
    if (!one || !other) continue;
    near[a]?.push(other);
    near[b]?.push(one);
  }
  const discs = nodes.map(({ x, y, radius }) => ({ left: x - radius, top: y - radius, right: x + radius, bottom: y + radius }));
  const names: Box[] = [];
  const possible = (box: Box) => box.left >= EDGE && box.top >= 0 && box.right <= width - EDGE && box.bottom <= height && !names.some((name) => meet(box, name));
  return nodes.map((node, index) => {
    if (node.name === '') return null;
    const boxes = SIDES.map((side) => ({ side, box: boxOf(node, side, widthOf(node.name, fontSize), 1.2 * fontSize) })).filter(({ box }) => possible(box));
    // A name on a node hides both; a line is seen through a name.
    const cost = (box: Box) => (discs.some((disc) => meet(box, disc)) ? 1_000 : 0) + (near[index] ?? []).filter((other) => crosses(node, other, box)).length;
    const [best] = boxes.map((one) => ({ ...one, cost: cost(one.box) })).sort((a, b) => a.cost - b.cost);
    if (!best) return null;
    names.push(best.box);
    return best.side;
  });
}
