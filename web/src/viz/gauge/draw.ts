/** A value on an arc. */
import { groupExact } from '@/lib/exact';
import type { ChartLook, ChartOption } from '@/ui/chart';
import { cutTo, widthOf } from '../axis-names';
import type { Words } from '../define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { exactText, labelText, tickText } from '../numbers';
import { itemTooltip, tooltipHtml } from '../tooltip';
import type { GaugeOptions } from './options';
import type { GaugeModel } from './transform';

export function drawn(model: GaugeModel, options: GaugeOptions, words: Words): DrawnTable {
  const rows = [
    [options.value, exactCell(model.value)],
    [words('lowest'), exactCell(model.min)],
    [words('highest'), exactCell(model.max)],
    ...(model.target ? [[words('target'), exactCell(model.target)]] : []),
  ];
  return { columns: [textColumn(words('name')), numberColumn(words('value'), options)], rows };
}

export function draw(model: GaugeModel, options: GaugeOptions, look: ChartLook, words: Words): ChartOption {
  const size = Math.min(look.width, look.height * 1.15);
  const thick = Math.max(8, size / 16);
  const colour = look.series[0] ?? look.text;
  // The number stands inside of the arc, however long it is.
  const text = labelText(model.value, options);
  const fontSize = Math.max(look.fontSize, Math.min(Math.max(16, size / 11), (0.66 * size) / Math.max(1, widthOf(text, 1))));
  const ranges = options.poorFrom > 0 || options.fairFrom > 0;
  // Three hues that stay apart for every reader, from the palette; each also has its own place on the arc.
  const band = ranges ? ([[Math.max(options.fairFrom, 1) / 100, look.series[5]], [Math.max(options.poorFrom, options.fairFrom, 1) / 100, look.series[1]], [1, look.series[9]]] as const) : ([[1, look.line]] as const);
  const scale = { min: model.points.min, max: model.points.max, startAngle: options.startAngle, endAngle: options.endAngle, radius: '88%', center: ['50%', '56%'] };
  const main = {
    ...scale,
    type: 'gauge',
    axisLine: { lineStyle: { width: ranges ? Math.max(4, thick / 3) : thick, color: band.map(([to, one]) => [to, one]) } },
    progress: { show: options.progress && !ranges, width: thick, itemStyle: { color: colour } },
    pointer: { show: options.pointer || ranges || !options.progress, length: '62%', width: Math.max(3, thick / 4), itemStyle: { color: look.strong } },
    anchor: { show: options.pointer || ranges || !options.progress, size: thick / 2, itemStyle: { color: look.strong, borderWidth: 0 } },
    axisTick: { show: false },
    splitNumber: 4,
    splitLine: { length: 6, distance: 4, lineStyle: { color: look.soft, width: 1 } },
    axisLabel: { color: look.soft, fontSize: look.fontSize, distance: thick + 6, formatter: tickText },
    title: { show: options.label !== '', offsetCenter: [0, '58%'], color: look.soft, fontSize: look.fontSize },
    detail: { valueAnimation: false, offsetCenter: [0, options.pointer || ranges || !options.progress ? '36%' : '6%'], color: look.strong, fontSize, fontWeight: 600, formatter: () => text },
    data: [{ value: model.points.value, name: cutTo(options.label, 0.9 * size, look.fontSize) }],
  };
  const target = {
    ...scale,
    type: 'gauge',
    silent: true,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: false },
    axisLabel: { show: false },
    progress: { show: false },
    detail: { show: false },
    pointer: { icon: 'rect', length: thick * 1.5, width: 3, offsetCenter: [0, `${-(100 - (75 * thick) / size)}%`], itemStyle: { color: look.series[1] } },
    data: [{ value: model.points.target ?? 0 }],
  };
  return {
    tooltip: itemTooltip(look, () =>
      tooltipHtml(options.label || options.value, [
        { name: words('value'), value: exactText(model.value, options) },
        { name: words('share'), value: `${groupExact(model.share)}%` },
        ...(model.target ? [{ name: words('target'), value: exactText(model.target, options) }] : []),
      ]),
    ),
    series: model.target ? [main, target] : [main],
  } as ChartOption;
}
