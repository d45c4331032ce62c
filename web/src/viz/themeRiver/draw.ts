/** Streams whose width is their value, around one middle. */
import { sumExact } from '@/lib/exact';
import type { ChartLook, ChartOption } from '@/ui/chart';
import type { Words } from '../define';
import { exactCell, numberColumn, type DrawnTable } from '../drawn';
import { colourOf, titleOf } from '../looks';
import { exactText } from '../numbers';
import { timeLabel, timeTexts } from '../periods';
import type { Series, SeriesModel } from '../series';
import { everyNth } from '../sample';
import { legendOption, tooltipHtml, tooltipLook } from '../tooltip';
import type { ThemeRiverOptions } from './options';
import { MOST_PERIODS } from './transform';

const nameOf = (series: Series, options: ThemeRiverOptions, words: Words) => (series.other ? words('other') : titleOf(options.series, series.name));

export function drawn(model: SeriesModel, options: ThemeRiverOptions, words: Words): DrawnTable {
  return {
    columns: [{ name: options.time, type: 'timestamp' }, ...model.series.map((series) => numberColumn(nameOf(series, options, words), options))],
    rows: model.labels.map((label, at) => [label, ...model.series.map((series) => exactCell(series.values[at] ?? null))]),
  };
}

export function draw(model: SeriesModel, options: ThemeRiverOptions, look: ChartLook, words: Words): ChartOption {
  const legend = options.legend && model.series.length > 1;
  const places = new Map(model.positions.map((position, at) => [position, at]));
  const drawnPlaces = everyNth([...model.positions.keys()], MOST_PERIODS);
  const series = {
    type: 'themeRiver' as const,
    boundaryGap: ['4%', '4%'],
    label: { show: options.labels, color: look.strong, fontSize: look.fontSize },
    itemStyle: { borderColor: look.surface, borderWidth: 0.5 },
    emphasis: { focus: 'self' },
    data: model.series.flatMap((series) => drawnPlaces.map((at) => [model.positions[at] ?? 0, series.points[at] ?? 0, nameOf(series, options, words)])),
  };
  return {
    legend: legendOption(look, legend, 'roundRect'),
    color: model.series.map((series, index) => colourOf(options.series, look, series.name, index, series.other)),
    tooltip: {
      ...tooltipLook(look),
      trigger: 'axis',
      axisPointer: { type: 'line', lineStyle: { color: look.soft } },
      formatter: (items: unknown) => {
        const [first] = Array.isArray(items) ? (items as { axisValue?: number | string; value?: [number | string] }[]) : [];
        const position = Number(new Date(first?.value?.[0] ?? first?.axisValue ?? Number.NaN));
        const at = places.get(position);
        if (at === undefined) return '';
        const lines = model.series.map((series, index) => ({ colour: colourOf(options.series, look, series.name, index, series.other), name: nameOf(series, options, words), value: exactText(series.values[at] ?? null, options) }));
        const total = sumExact(model.series.flatMap((series) => series.values[at] ?? []));
        return tooltipHtml(`${timeLabel(position)} UTC`, [...lines, { name: words('total'), value: exactText(total, options) }]);
      },
    },
    singleAxis: { type: 'time', top: legend ? 40 : 12, bottom: 26, left: 28, right: 28, axisLine: { lineStyle: { color: look.line } }, axisTick: { show: false }, axisLabel: { color: look.soft, fontSize: look.fontSize, hideOverlap: true, formatter: timeTexts(model.positions) }, splitLine: { show: true, lineStyle: { color: look.line } } },
    series: [series],
  } as ChartOption;
}
