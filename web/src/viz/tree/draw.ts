/** A tree that opens and closes at its nodes. */
import type { Cell } from '@/lib/columns';
import { sumExact } from '@/lib/exact';
import { count } from '@/lib/format';
import type { ChartLook, ChartOption } from '@/ui/chart';
import { cutTo, widthOf } from '../axis-names';
import type { Words } from '../define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { exactText } from '../numbers';
import { cut, itemTooltip, tooltipHtml } from '../tooltip';
import type { TreeOptions } from './options';
import type { Branch, TreeModel } from './transform';

const ORIENTS = { right: 'LR', left: 'RL', down: 'TB', up: 'BT' } as const;

export function drawn(model: TreeModel, options: TreeOptions, words: Words): DrawnTable {
  const rows: Cell[][] = [];
  const walk = (node: Branch, level: number, above: string) => {
    rows.push([level, above, node.name || words('all'), exactCell(node.value)]);
    for (const child of node.children) walk(child, level + 1, node.name || words('all'));
  };
  walk(model.root, 0, '');
  return { columns: [{ name: words('level'), type: 'int' }, textColumn(words('parent')), textColumn(options.name || options.id || words('name')), numberColumn(options.value || words('rows'), options)], rows };
}

/** Pixels that a leaf needs at least to be told from the next, and the points that stand for nodes at most. */
const LEAF = 3;
const POINT = 8;

/** A branch with those of its branches that there is room for. */
interface Shown {
  readonly branch: Branch;
  readonly children: readonly Shown[];
}

/** The tree with at most `room` branches below each; the rest of them is one more, with their sum. */
export function folded(branch: Branch, room: number): Shown {
  if (branch.children.length <= room) return { branch, children: branch.children.map((child) => folded(child, room)) };
  const rest = branch.children.slice(room - 1);
  const more: Branch = { name: `+${count(rest.length)}`, value: sumExact(rest.flatMap(({ value }) => value ?? [])), children: [] };
  return { branch, children: [...branch.children.slice(0, room - 1).map((child) => folded(child, room)), { branch: more, children: [] }] };
}

/** How many levels can be open, at most those that are wanted, so that the ends have room side by side; one is always open. */
export function openLevels(root: Shown, wanted: number, room: number): number {
  let ends = 0;
  let level = root.children;
  let depth = 1;
  while (depth < wanted) {
    const next = level.flatMap(({ children }) => children);
    ends += level.filter(({ children }) => children.length === 0).length;
    if (next.length === 0 || ends + next.length > room) break;
    level = next;
    depth += 1;
  }
  return depth;
}

/** What has no open branch below it, in the order in which it stands. */
function endsOf(root: Shown, end: (one: Shown, level: number) => boolean): Shown[] {
  const walk = (one: Shown, level: number): Shown[] => (end(one, level) ? [one] : one.children.flatMap((child) => walk(child, level + 1)));
  return walk(root, 0);
}

export function draw(model: TreeModel, options: TreeOptions, look: ChartLook, words: Words): ChartOption {
  const levels = options.radial ? [] : [options.orient === 'right' || options.orient === 'left'];
  const across = levels[0] === true;
  const side = { right: 'left', left: 'right', down: 'top', up: 'bottom' } as const;
  const far = { right: 'right', left: 'left', down: 'bottom', up: 'top' } as const;
  const long = options.radial ? Math.PI * Math.min(look.width, look.height) : across ? look.height : look.width;
  const room = Math.max(12, Math.floor(long / LEAF));
  const shown = folded(model.root, room);
  const depth = openLevels(shown, options.depth === 0 ? model.height : options.depth, room);
  const end = ({ children }: Shown, level: number) => level >= depth || children.length === 0;
  const ends = endsOf(shown, end);
  // A name needs a line: where ends stand closer, every other one or fewer have their names.
  const every = Math.max(1, Math.ceil((1.25 * look.fontSize * ends.length) / long));
  const named = new Set(ends.filter((_, at) => at % every === 0).map(({ branch }) => branch));
  const nameOf = ({ name }: Branch) => name || words('all');
  // Names stand before the forks and behind the ends; both get the room that they need and no more.
  const margin = (most: number, names: readonly string[]) => Math.round(Math.min(most, 0.38 * look.width, Math.max(0, ...names.map((name) => widthOf(name, look.fontSize)))) + 16);
  const [near, beyond] = [margin(94, [nameOf(model.root)]), margin(150, ends.map(({ branch }) => nameOf(branch)))];
  const step = (look.width - near - beyond) / depth;
  const written = (branch: Branch, level: number, last: boolean) => (across ? cutTo(nameOf(branch), (last ? beyond : level === 0 ? near : Math.max(step, near)) - 14, look.fontSize) : cut(nameOf(branch), options.radial ? 22 : 12));
  const node = (one: Shown, level = 0): object => {
    const { branch, children } = one;
    const last = end(one, level);
    return { name: nameOf(branch), text: written(branch, level, last), branch, children: children.map((child) => node(child, level + 1)), ...(last && level <= depth && !named.has(branch) ? { label: { show: false } } : {}) };
  };
  const label = { color: look.text, fontSize: look.fontSize, formatter: ({ data }: { data?: { text?: string } }) => data?.text ?? '' };
  // Lines pass below the names of forks.
  const covering = { backgroundColor: look.surface, padding: [1, 2] };
  const sides = options.orient === 'right' ? { left: near, right: beyond } : { left: beyond, right: near };
  const series = {
    type: 'tree' as const,
    data: [node(shown)],
    layout: options.radial ? 'radial' : 'orthogonal',
    orient: ORIENTS[options.orient],
    edgeShape: options.curved || options.radial ? 'curve' : 'polyline',
    ...(options.radial ? { top: 24, bottom: 24, left: 24, right: 24 } : across ? { top: 8, bottom: 8, ...sides } : { top: 30, bottom: 60, left: 16, right: 16 }),
    initialTreeDepth: depth,
    expandAndCollapse: true,
    roam: model.count > 60,
    symbol: 'circle',
    symbolSize: Math.max(LEAF, Math.min(POINT, (1.2 * long) / Math.min(model.breadth, room))),
    itemStyle: { color: look.series[0], borderColor: look.series[0] },
    lineStyle: { color: look.soft, width: 1.2, opacity: 0.6 },
    label: options.radial ? label : { ...label, ...covering, position: side[options.orient], ...(across ? {} : { distance: 6 }) },
    leaves: options.radial ? {} : { label: { ...label, backgroundColor: 'transparent', padding: 0, position: far[options.orient], ...(across ? {} : { rotate: -60, align: 'left', verticalAlign: 'middle' }) } },
    labelLayout: { hideOverlap: true },
    emphasis: { focus: 'descendant' },
  };
  return {
    tooltip: itemTooltip(look, ({ data }) => {
      const { branch } = data as { branch?: Branch };
      if (!branch) return '';
      const value = branch.value ? [{ name: options.value || words('rows'), value: exactText(branch.value, options) }] : [];
      return tooltipHtml(branch.name || words('all'), [...value, ...(branch.children.length > 0 ? [{ name: words('below'), value: String(branch.children.length) }] : [])]);
    }),
    series: [series],
  } as ChartOption;
}
