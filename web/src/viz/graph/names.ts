/** On which side of its node each name stands: inside of the card, on no other name, on no node that counts as much as its own, and where it can on no link of its own. */
import { widthOf } from '../axis-names';
import type { Box, Ends, Place } from './layout';

export type Side = 'right' | 'left' | 'bottom' | 'top';

export interface Named extends Place {
  /** Half of the node's size. */
  readonly radius: number;
  /** Its name, and what it is cut to where there is less room; empty where no name is wanted. */
  readonly names: readonly string[];
}

export interface Told {
  readonly side: Side;
  readonly name: string;
}

interface Card {
  readonly width: number;
  readonly height: number;
  readonly fontSize: number;
}

/** Pixels between a node and its name, as charts draw them. */
export const FAR = 5;
/** Pixels that stay free at the edges of the card: how wide a name is, is a guess. */
const EDGE = 4;
const SIDES: readonly Side[] = ['right', 'left', 'bottom', 'top'];

const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function boxOf({ x, y, radius }: Named, side: Side, width: number, height: number): Box {
  const away = radius + FAR;
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

/** A side for each name, and how much of it has room there; earlier ones choose first. Null where no side has room. */
export function sidesOf(nodes: readonly Named[], links: readonly Ends[], { width, height, fontSize }: Card): (Told | null)[] {
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
    // A name on a node hides both, which only the name of a larger one may; a line is seen through a name.
    const hidden = (box: Box) => discs.filter((disc) => meet(box, disc));
    const cost = (box: Box) => 1_000 * hidden(box).length + (near[index] ?? []).filter((other) => crosses(node, other, box)).length;
    for (const name of node.names) {
      const boxes = SIDES.map((side) => ({ side, name, box: boxOf(node, side, widthOf(name, fontSize), 1.2 * fontSize) }));
      const free = boxes.filter(({ box }) => possible(box) && hidden(box).every((disc) => disc.right - disc.left < 1.5 * node.radius));
      const [best] = free.map((one) => ({ ...one, cost: cost(one.box) })).sort((a, b) => a.cost - b.cost);
      if (!best) continue;
      names.push(best.box);
      return best;
    }
    return null;
  });
}
