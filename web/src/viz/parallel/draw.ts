/** Lines across parallel axes; dragging along an axis keeps what it passes there. */
import type { ChartLook, ChartOption } from '@/ui/chart';
import type { Words } from '../define';
import { textColumn, type DrawnTable } from '../drawn';
import { colourOf, titleOf } from '../looks';
import { tickText } from '../numbers';
import { timeTexts } from '../periods';
import { cut, itemTooltip, legendOption, tooltipHtml } from '../tooltip';
import type { ParallelOptions } from './options';
import type { Bundle, ParallelModel } from './transform';

/** Pixels behind the last axis, by what is written there. */
const BEYOND: Readonly<Record<string, number>> = { category: 96, time: 76, value: 52 };

const nameOf = (bundle: Bundle, options: ParallelOptions, words: Words) => (bundle.other ? words('other') : titleOf(options.series, bundle.name));

export function drawn(model: ParallelModel, options: ParallelOptions, words: Words): DrawnTable {
  const grouped = options.group !== '' && !options.dimensions.includes(options.group);
  return {
    columns: [...(grouped ? [textColumn(options.group)] : []), ...model.axes.map(({ name, dataType }) => ({ name, type: dataType }))],
    rows: model.bundles.flatMap((bundle) => bundle.lines.map((line) => [...(grouped ? [nameOf(bundle, options, words)] : []), ...line.cells])),
  };
}

export function draw(model: ParallelModel, options: ParallelOptions, look: ChartLook, words: Words): ChartOption {
  const legend = options.legend && model.bundles.length > 1;
  const room = look.width / model.axes.length;
  const timesOn = (dim: number) => model.bundles.flatMap((bundle) => bundle.lines.flatMap((line) => { const point = line.points[dim]; return typeof point === 'number' ? [point] : []; })).sort((a, b) => a - b);
  return {
    legend: legendOption(look, legend),
    tooltip: itemTooltip(look, ({ seriesIndex, dataIndex }) => {
      const bundle = model.bundles[seriesIndex];
      const line = bundle?.lines[dataIndex];
      return line ? tooltipHtml(bundle.name === '' ? '' : nameOf(bundle, options, words), model.axes.map((axis, at) => ({ name: axis.name, value: line.texts[at] ?? '' }))) : '';
    }),
    parallel: { left: Math.min(70, room / 2.4), right: BEYOND[model.axes.at(-1)?.type ?? ''] ?? Math.min(70, room / 2.4), top: (legend ? 34 : 8) + 26, bottom: 16, parallelAxisDefault: { areaSelectStyle: { borderColor: look.series[0], color: look.series[0], opacity: 0.15, width: 16 } } },
    parallelAxis: model.axes.map((axis, dim) => ({
      dim,
      name: cut(axis.name, Math.max(6, Math.floor(room / 7.5))),
      type: axis.type,
      inverse: axis.inverse,
      scale: true,
      ...(axis.type === 'category' ? { data: [...axis.names] } : {}),
      nameTextStyle: { color: look.text, fontSize: look.fontSize },
      nameGap: 12,
      splitNumber: 4,
      axisLine: { lineStyle: { color: look.soft } },
      axisTick: { show: false },
      // The lines go through what is written there: it keeps an edge of the card's colour.
      axisLabel: { color: look.soft, fontSize: look.fontSize, textBorderColor: look.surface, textBorderWidth: 3, hideOverlap: true, formatter: axis.type === 'time' ? timeTexts(timesOn(dim)) : (value: number | string) => (typeof value === 'number' ? tickText(value) : cut(value, 12)) },
    })) as ChartOption['parallelAxis'],
    series: model.bundles.map((bundle, index) => ({
      type: 'parallel',
      name: nameOf(bundle, options, words),
      color: colourOf(options.series, look, bundle.name, index, bundle.other),
      smooth: options.smooth,
      lineStyle: { width: 1.2, opacity: options.opacity / 100, color: colourOf(options.series, look, bundle.name, index, bundle.other) },
      emphasis: { lineStyle: { width: 2.5, opacity: 1 } },
      inactiveOpacity: 0.04,
      progressive: 500,
      data: bundle.lines.map((line) => [...line.points]),
    })),
  };
}
