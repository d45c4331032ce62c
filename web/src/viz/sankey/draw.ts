/** Flows from station to station, as wide as their value. */
import type { ChartLook, ChartOption } from '@/ui/chart';
import { widthOf } from '../axis-names';
import type { Words } from '../define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { colourOf, titleOf } from '../looks';
import { exactText } from '../numbers';
import { cut, itemTooltip, tooltipHtml } from '../tooltip';
import type { SankeyOptions } from './options';
import { nameOfKey, type SankeyModel } from './transform';

export function drawn(model: SankeyModel, options: SankeyOptions, words: Words): DrawnTable {
  return {
    columns: [textColumn(words('source')), textColumn(words('target')), numberColumn(options.value || words('rows'), options)],
    rows: model.flows.map((flow) => [nameOfKey(flow.source), nameOfKey(flow.target), exactCell(flow.value)]),
  };
}

export function draw(model: SankeyModel, options: SankeyOptions, look: ChartLook, words: Words): ChartOption {
  const vertical = options.orient === 'vertical';
  const title = (key: string) => titleOf(options.series, nameOfKey(key));
  const names = [...new Set(model.stations.map((station) => station.name))];
  const ends = new Set(model.flows.map((flow) => flow.source));
  // The names behind the last stations stand whole where the drawing is not all names.
  const last = model.stations.filter((station) => !ends.has(station.key)).map((station) => widthOf(cut(title(station.key), 20), look.fontSize));
  const beyond = Math.min(Math.max(0, ...last) + 16, 0.38 * look.width);
  const valueName = options.value || words('rows');
  const series = {
    type: 'sankey' as const,
    orient: options.orient,
    nodeAlign: options.align,
    // All gaps together leave room for the stations between them.
    nodeGap: Math.min(options.gap, (0.6 * (vertical ? look.width : look.height)) / Math.max(1, model.stations.length)),
    nodeWidth: 12,
    left: 8,
    right: vertical ? 8 : Math.round(options.labels ? beyond : 8),
    top: 8,
    bottom: vertical ? 28 : 8,
    draggable: false,
    emphasis: { focus: 'adjacency' },
    label: { show: options.labels, color: look.text, fontSize: look.fontSize, position: vertical ? 'bottom' : 'right', formatter: ({ name }: { name: string }) => cut(title(name), 20) },
    // Of names that would lie upon each other one is kept; the others are in the tooltip and the table.
    labelLayout: { hideOverlap: true },
    lineStyle: { color: options.linkColour === 'grey' ? look.soft : options.linkColour, opacity: 0.35, curveness: 0.5 },
    data: model.stations.map(({ key, name }) => ({ name: key, itemStyle: { color: ends.has(key) || names.length <= 10 ? colourOf(options.series, look, name, names.indexOf(name)) : look.series[8], borderWidth: 0 } })),
    links: model.flows.map((flow) => ({ source: flow.source, target: flow.target, value: flow.point })),
  };
  return {
    tooltip: itemTooltip(look, ({ dataType, dataIndex }) => {
      if (dataType === 'edge') {
        const flow = model.flows[dataIndex];
        return flow ? tooltipHtml(`${title(flow.source)} → ${title(flow.target)}`, [{ name: valueName, value: exactText(flow.value, options) }]) : '';
      }
      const station = model.stations[dataIndex];
      if (!station) return '';
      const lines = [
        { name: words('in'), value: station.in },
        { name: words('out'), value: station.out },
      ].filter((line) => line.value.digits !== 0n);
      return tooltipHtml(title(station.key), lines.map((line) => ({ name: line.name, value: exactText(line.value, options) })));
    }),
    series: [series],
  } as ChartOption;
}
