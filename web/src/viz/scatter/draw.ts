/** Points in their colours and sizes, with the line through them. */
import type { ChartLook, ChartOption } from '@/ui/chart';
import type { Words } from '../define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { colourOf, titleOf } from '../looks';
import { axisHead, axisScale, exactText, plainDress, tickText, unitOf } from '../numbers';
import { timeTexts } from '../periods';
import { itemTooltip, legendOption, tooltipHtml } from '../tooltip';
import type { ScatterOptions } from './options';
import type { Cloud, Point, ScatterModel } from './transform';

const isOther = (cloud: Cloud) => cloud.name === '\u0000other';
const nameOf = (cloud: Cloud, options: ScatterOptions, words: Words) => (isOther(cloud) ? words('other') : titleOf(options.series, cloud.name));
const xDress = (options: ScatterOptions) => ({ ...plainDress, format: options.xFormat });

export function drawn(model: ScatterModel, options: ScatterOptions, words: Words): DrawnTable {
  const columns = [model.times ? { name: options.x, type: 'timestamp' } : numberColumn(options.x, xDress(options)), numberColumn(options.y, options)];
  if (options.size) columns.push(numberColumn(options.size, plainDress));
  if (options.group) columns.push(textColumn(options.group));
  if (options.name) columns.push(textColumn(options.name));
  const row = (cloud: Cloud, point: Point) => [
    typeof point.x === 'string' ? point.x : exactCell(point.x),
    exactCell(point.y),
    ...(options.size ? [exactCell(point.size)] : []),
    ...(options.group ? [nameOf(cloud, options, words)] : []),
    ...(options.name ? [point.name] : []),
  ];
  return { columns, rows: model.clouds.flatMap((cloud) => cloud.points.map((point) => row(cloud, point))) };
}

export function draw(model: ScatterModel, options: ScatterOptions, look: ChartLook, words: Words): ChartOption {
  const legend = options.legend && model.clouds.length > 1;
  const all = model.clouds.flatMap(({ points }) => points);
  const axis = (title: string, unit: string, type: 'value' | 'log' | 'time', dim: 0 | 1, place: object) => {
    const values = all.map(({ at }) => at[dim]);
    const scale = axisScale(type === 'value' ? values : []);
    return {
      type,
      scale: true,
      splitNumber: 4,
      name: axisHead(title, scale, unit),
      nameTextStyle: { color: look.soft, fontSize: look.fontSize },
      axisLabel: { color: look.soft, fontSize: look.fontSize, hideOverlap: true, formatter: type === 'time' ? timeTexts(values) : type === 'log' ? tickText : scale.tick },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { lineStyle: { color: look.line } },
      ...place,
    };
  };
  const radius = ({ weight }: Point) => (options.size ? options.smallest + weight * (options.largest - options.smallest) : options.smallest);
  const clouds = model.clouds.map((cloud, index) => ({
    type: 'scatter',
    name: nameOf(cloud, options, words),
    color: colourOf(options.series, look, cloud.name, index, isOther(cloud)),
    symbol: ['circle', 'rect', 'triangle', 'diamond'][index % 4],
    large: !options.size && cloud.points.length > 4_000,
    data: cloud.points.map((point) => ({ value: point.at, symbolSize: radius(point) })),
    symbolSize: options.smallest,
    itemStyle: { opacity: options.opacity / 100, borderColor: look.surface, borderWidth: cloud.points.length > 2_000 ? 0 : 0.5 },
    emphasis: { focus: 'series' },
  }));
  const line = model.line ? [{ type: 'line', name: words('trend'), data: model.line, color: look.strong, showSymbol: false, silent: true, lineStyle: { type: 'dashed', width: 1.5 }, tooltip: { show: false } }] : [];
  return {
    grid: { left: 8, right: 16, top: (legend ? 34 : 12) + 18, bottom: 24, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    legend: legendOption(look, legend),
    tooltip: itemTooltip(look, ({ seriesIndex, dataIndex }) => {
      const cloud = model.clouds[seriesIndex];
      const point = cloud?.points[dataIndex];
      if (!cloud || !point) return '';
      const lines = [
        { name: options.x, value: typeof point.x === 'string' ? point.x : exactText(point.x, xDress(options)) },
        { name: options.y, value: exactText(point.y, options) },
      ];
      if (options.size) lines.push({ name: options.size, value: exactText(point.size, plainDress) });
      return tooltipHtml([point.name, cloud.name === '' ? '' : nameOf(cloud, options, words)].filter((text) => text !== '').join(', '), lines);
    }),
    xAxis: axis(options.x, model.times ? '' : unitOf(xDress(options)), model.times ? 'time' : options.xLog ? 'log' : 'value', 0, { nameLocation: 'middle', nameGap: 26 }),
    yAxis: axis(options.y, unitOf(options), options.yLog ? 'log' : 'value', 1, { nameTextStyle: { color: look.soft, fontSize: look.fontSize, align: 'left' } }),
    series: [...clouds, ...line],
  } as ChartOption;
}
