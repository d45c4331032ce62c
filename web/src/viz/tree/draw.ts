/** A tree that opens and closes at its nodes. */
import type { Cell } from '@/lib/columns';
import type { ChartLook, ChartOption } from '@/ui/chart';
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

export function draw(model: TreeModel, options: TreeOptions, look: ChartLook, words: Words): ChartOption {
  const levels = options.radial ? [] : [options.orient === 'right' || options.orient === 'left'];
  const across = levels[0] === true;
  const side = { right: 'left', left: 'right', down: 'top', up: 'bottom' } as const;
  const far = { right: 'right', left: 'left', down: 'bottom', up: 'top' } as const;
  const node = (branch: Branch): object => ({ name: branch.name || words('all'), branch, children: branch.children.map(node) });
  const text = ({ name }: { name: string }) => cut(name, across ? 22 : 12);
  const label = { color: look.text, fontSize: look.fontSize, formatter: text };
  const series = {
    type: 'tree' as const,
    data: [node(model.root)],
    layout: options.radial ? 'radial' : 'orthogonal',
    orient: ORIENTS[options.orient],
    edgeShape: options.curved || options.radial ? 'curve' : 'polyline',
    ...(options.radial ? { top: 24, bottom: 24, left: 24, right: 24 } : across ? { top: 8, bottom: 8, left: 110, right: 150 } : { top: 30, bottom: 60, left: 16, right: 16 }),
    initialTreeDepth: options.depth === 0 ? -1 : options.depth,
    expandAndCollapse: true,
    roam: model.count > 60,
    symbol: 'circle',
    symbolSize: 8,
    itemStyle: { color: look.series[0], borderColor: look.series[0] },
    lineStyle: { color: look.soft, width: 1.2, opacity: 0.6 },
    label: options.radial ? label : { ...label, position: side[options.orient], ...(across ? {} : { distance: 6 }) },
    leaves: options.radial ? {} : { label: { ...label, position: far[options.orient], ...(across ? {} : { rotate: -60, align: 'left', verticalAlign: 'middle' }) } },
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
