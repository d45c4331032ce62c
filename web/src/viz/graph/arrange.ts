/** Nodes and their names in the pixels of a card: nothing is cut at its edges. */
import type { ChartLook } from '@/ui/chart';
import { widthOf } from '../axis-names';
import { circle } from './circle';
import { apart, fitted, places, reach, type Box, type Ends, type Place } from './layout';
import { sidesOf, type Side } from './names';
import type { GraphOptions } from './options';
import type { Short } from './short';

/** Signs of a name at most, and of one that has less room. */
const MOST_SIGNS = 18;
const FEWER_SIGNS = [12, 8];
/** Pixels between the outermost nodes and the edge of the card, and those of a line of the legend. */
const MARGIN = 8;
const LEGEND = 28;

export interface Arranged {
  /** How far the drawing stays away from the edges of the card, for the middles of its nodes. */
  readonly margins: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  /** What each node is told, in their order. */
  readonly nodes: readonly { readonly x?: number; readonly y?: number; readonly symbolSize: number; readonly label: { readonly show: boolean; readonly position?: Side; readonly formatter: () => string } }[];
}

interface Wanted {
  readonly arrange: GraphOptions['arrange'];
  /** Across, in pixels. */
  readonly sizes: readonly number[];
  readonly names: Short;
  /** How many nodes show their names, from the first. */
  readonly labelled: number;
  readonly links: readonly Ends[];
  readonly legend: boolean;
}

export function arranged(wanted: Wanted, options: GraphOptions, look: ChartLook): Arranged {
  const { arrange, sizes, links, legend } = wanted;
  if (arrange === 'circular') return onCircle(wanted, look);
  const margin = MARGIN + sizes.reduce((a, b) => Math.max(a, b), 0) / 2;
  const box: Box = { left: margin, top: margin + (legend ? LEGEND : 0), right: look.width - margin, bottom: look.height - margin };
  if (arrange === 'none') return standing(wanted, gridPlaces(sizes.length, box), look);
  const forces = { repulsion: options.repulsion / 100, gravity: options.gravity / 20, edgeLength: options.edgeLength / 100 };
  return standing(wanted, apart(fitted(places(sizes.length, links, forces), links, box), sizes.map((size) => size / 2), box), look);
}

function onCircle({ sizes, names, labelled, legend }: Wanted, look: ChartLook): Arranged {
  const top = MARGIN + (legend ? LEGEND : 0);
  const reach = { x: look.width / 2 - MARGIN, y: (look.height - MARGIN - top) / 2 };
  const longest = sizes.slice(0, labelled).reduce((most, _, index) => Math.max(most, widthOf(names.signs(index, MOST_SIGNS), look.fontSize)), 0);
  const { radius, sizes: fitting, rooms } = circle({ reach, sizes, longest, fontSize: look.fontSize });
  const [beside, above] = [look.width / 2 - radius, reach.y - radius];
  return {
    margins: { left: beside, top: top + above, right: beside, bottom: MARGIN + above },
    nodes: fitting.map((symbolSize, index) => {
      const room = rooms[index] ?? 0;
      return { symbolSize, label: { show: index < labelled && room > 0, formatter: () => names.pixels(index, room, look.fontSize, MOST_SIGNS) } };
    }),
  };
}

function standing({ sizes, names, labelled, links }: Wanted, stand: readonly Place[], look: ChartLook): Arranged {
  const nodes = stand.map((place, index) => ({ ...place, radius: (sizes[index] ?? 0) / 2, names: index < labelled ? [MOST_SIGNS, ...FEWER_SIGNS].map((signs) => names.signs(index, signs)) : [] }));
  const sides = sidesOf(nodes, links, look);
  const { left, top, right, bottom } = reach(stand);
  // The places are pixels of the card, so the drawing reaches just as far as they do. Where they don't differ it adds one to both sides.
  const [moreX, moreY] = [left === right ? 1 : 0, top === bottom ? 1 : 0];
  return {
    margins: { left: left - moreX, top: top - moreY, right: look.width - right - moreX, bottom: look.height - bottom - moreY },
    nodes: stand.map((place, index) => {
      const told = sides[index] ?? null;
      // A name without room is there while its node is pointed at.
      return { ...place, symbolSize: sizes[index] ?? 0, label: { show: told !== null, position: told?.side ?? (place.x > look.width / 2 ? 'left' : 'right'), formatter: () => told?.name ?? names.signs(index, MOST_SIGNS) } };
    }),
  };
}

/** Row after row, in as many columns as make the cells about square. */
function gridPlaces(count: number, { left, top, right, bottom }: Box): Place[] {
  const columns = Math.max(1, Math.ceil(Math.sqrt((count * (right - left)) / Math.max(1, bottom - top))));
  const rows = Math.ceil(count / columns);
  const along = (from: number, to: number, at: number, of: number) => from + ((at + 0.5) / of) * (to - from);
  return Array.from({ length: count }, (_, at) => ({ x: along(left, right, at % columns, columns), y: along(top, bottom, Math.floor(at / columns), rows) }));
}
