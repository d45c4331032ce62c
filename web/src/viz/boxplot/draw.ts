/** Boxes with whiskers, and the values beyond them as points. */
import { count } from '@/lib/format';
import type { ChartLook, ChartOption } from '@/ui/chart';
import { nameLabels } from '../axis-names';
import type { Words } from '../define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { axisHead, axisScale, exactText, tickText, unitOf } from '../numbers';
import { cut, itemTooltip, tooltipHtml } from '../tooltip';
import type { BoxplotOptions } from './options';
import type { BoxplotModel } from './transform';

const PARTS = ['lowerWhisker', 'lowerQuartile', 'median', 'upperQuartile', 'upperWhisker'] as const;

export function drawn(model: BoxplotModel, options: BoxplotOptions, words: Words): DrawnTable {
  return {
    columns: [textColumn(options.category || options.value), ...PARTS.map((part) => numberColumn(words(part), options)), { name: words('values'), type: 'bigint' }, { name: words('outliers'), type: 'bigint' }],
    rows: model.boxes.map((box) => [box.name, ...box.five.map(exactCell), box.count, box.count === null ? null : box.outliers.length]),
  };
}

export function draw(model: BoxplotModel, options: BoxplotOptions, look: ChartLook, words: Words): ChartOption {
  const label = { color: look.soft, fontSize: look.fontSize, hideOverlap: true };
  const texts = model.boxes.map((box) => cut(box.name, 18));
  const names = { type: 'category', data: texts, inverse: options.horizontal, axisLabel: options.horizontal ? label : { ...label, ...nameLabels(texts, look, look.width - 70) }, axisTick: { show: false }, axisLine: { lineStyle: { color: look.line } } };
  const lowest = Math.min(...model.boxes.map((box) => Math.min(box.points[0] ?? 0, ...box.outliers.map((one) => one.point))));
  const log = options.log && lowest > 0;
  const scale = axisScale(log ? [] : model.boxes.flatMap((box) => [...box.points, ...box.outliers.map((one) => one.point)]));
  const head = axisHead('', scale, unitOf(options));
  const values = { type: log ? 'log' : 'value', scale: true, splitNumber: 4, name: head, nameTextStyle: { color: look.soft, fontSize: look.fontSize, align: 'left' }, axisLabel: { ...label, formatter: log ? tickText : scale.tick }, splitLine: { lineStyle: { color: look.line } } };
  const colour = look.series[0] ?? look.text;
  const flat = model.boxes.flatMap((box, at) => box.outliers.map((outlier) => ({ at, box, outlier })));
  return {
    grid: { left: 8, right: 16, top: head === '' ? 12 : 28, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: itemTooltip(look, ({ seriesIndex, dataIndex }) => {
      if (seriesIndex === 1) {
        const point = flat[dataIndex];
        return point ? tooltipHtml(point.box.name, [{ name: words('outlier'), value: exactText(point.outlier.value, options) }]) : '';
      }
      const box = model.boxes[dataIndex];
      if (!box) return '';
      const lines = PARTS.map((part, at) => ({ name: words(part), value: exactText(box.five[at] ?? null, options) })).reverse();
      return tooltipHtml(box.name, box.count === null ? lines : [...lines, { name: words('values'), value: count(box.count) }]);
    }),
    xAxis: options.horizontal ? values : names,
    yAxis: options.horizontal ? names : values,
    series: [
      { type: 'boxplot', data: model.boxes.map((box) => [...box.points]), itemStyle: { color: look.sequential[1], borderColor: colour, borderWidth: 1.5 }, boxWidth: [8, 44] },
      { type: 'scatter', data: flat.map(({ at, outlier }) => (options.horizontal ? [outlier.point, at] : [at, outlier.point])), symbolSize: 5, itemStyle: { color: look.series[1], opacity: 0.8 } },
    ],
  } as ChartOption;
}
