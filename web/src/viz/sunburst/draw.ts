/** Rings: the whole inside, its parts around it. */
import type { Cell } from '@/lib/columns';
import { compareExact, groupExact, ratioExact, sumExact, timesExact, ZERO } from '@/lib/exact';
import { count } from '@/lib/format';
import type { ChartLook, ChartOption } from '@/ui/chart';
import type { Words } from '../define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { colourOf, titleOf } from '../looks';
import { exactText } from '../numbers';
import { cut, itemTooltip, tooltipHtml } from '../tooltip';
import type { SunburstOptions } from './options';
import type { Arc, SunburstModel } from './transform';

export function drawn(model: SunburstModel, options: SunburstOptions, words: Words): DrawnTable {
  const rows: Cell[][] = [];
  const walk = (arc: Arc, way: readonly string[]) => {
    const path = [...way, arc.name];
    rows.push([...Array.from({ length: model.levels }, (_, at) => path[at] ?? null), exactCell(arc.value)]);
    for (const child of arc.children) walk(child, path);
  };
  for (const arc of model.arcs) walk(arc, []);
  const names = Array.from({ length: model.levels }, (_, at) => textColumn(options.layout === 'path' ? (options.path[at] ?? `${words('level')} ${at + 1}`) : `${words('level')} ${at + 1}`));
  return { columns: [...names, numberColumn(options.value || words('rows'), options)], rows };
}

/** Parts of so many of one are drawn however small they are, others from half a degree on. */
const ALWAYS = 50;
const LEAST_SHARE = 1 / 720;
/** From so many parts on a line between each would take the place of their colours. */
const CROWD = 300;

/** The parts of one, those that nobody could see as one more at the end, called by how many they are. */
export function foldedArcs(arcs: readonly Arc[], whole: number): readonly Arc[] {
  if (arcs.length <= ALWAYS) return arcs;
  const ranked = new Map([...arcs].sort((a, b) => compareExact(b.value, a.value)).map((arc, place) => [arc, place]));
  const small = arcs.filter((arc) => (ranked.get(arc) ?? 0) >= ALWAYS && arc.point < whole * LEAST_SHARE);
  if (small.length < 2) return arcs;
  const gone = new Set(small);
  const rest: Arc = { name: `+${count(small.length)}`, value: sumExact(small.map((arc) => arc.value)), point: small.reduce((sum, arc) => sum + arc.point, 0), children: [] };
  return [...arcs.filter((arc) => !gone.has(arc)), rest];
}

export function draw(model: SunburstModel, options: SunburstOptions, look: ChartLook, words: Words): ChartOption {
  const whole = model.arcs.reduce((sum, arc) => sum + arc.point, 0);
  let drawnArcs = 0;
  const faint = [1, 0.75, 0.55, 0.4, 0.3];
  const node = (arc: Arc, way: readonly string[], colour: string): object => {
    const path = [...way, titleOf(options.series, arc.name)];
    drawnArcs += 1;
    return { name: arc.name, value: arc.point, arc, path, itemStyle: { color: colour, opacity: faint[Math.min(way.length, faint.length - 1)] }, children: foldedArcs(arc.children, whole).map((child) => node(child, path, colour)) };
  };
  const top = foldedArcs(model.arcs, whole);
  const data = top.map((arc, index) => node(arc, [], colourOf(options.series, look, arc.name, index, top !== model.arcs && index === top.length - 1)));
  // A name has the width of its ring.
  const ring = (0.4 * Math.min(look.width, look.height)) / model.levels;
  // Names stand on strong colours in the inner ring and on faint ones further out.
  const label = (level: number) => ({ color: level === 0 ? look.surface : look.strong });
  const series = {
    type: 'sunburst' as const,
    radius: ['14%', '94%'],
    sort: null,
    nodeClick: options.zoom ? 'rootToNode' : false,
    data,
    itemStyle: { borderColor: look.surface, borderWidth: drawnArcs > CROWD ? 0.25 : 1 },
    label: { show: options.label !== 'none', rotate: options.label === 'horizontal' ? 0 : options.label === 'none' ? 'radial' : options.label, minAngle: 11, fontSize: look.fontSize, width: Math.max(24, ring - 2), overflow: 'truncate', formatter: ({ name }: { name: string }) => cut(titleOf(options.series, name), 16) },
    levels: [{ itemStyle: { color: look.line }, label: { color: look.text } }, ...Array.from({ length: model.levels }, (_, level) => ({ label: label(level) }))],
    emphasis: { focus: 'ancestor' },
  };
  return {
    tooltip: itemTooltip(look, ({ data }) => {
      const { arc, path } = data as { arc?: Arc; path?: string[] };
      if (!arc || !path) return '';
      const share = ratioExact(timesExact(arc.value, 100n), model.total, 2) ?? ZERO;
      return tooltipHtml(path.join(' / '), [
        { name: options.value || words('rows'), value: exactText(arc.value, options) },
        { name: words('share'), value: `${groupExact(share)}%` },
      ]);
    }),
    series: [series],
  } as ChartOption;
}
