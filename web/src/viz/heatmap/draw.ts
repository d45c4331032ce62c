/** Cells in colours from low to high. */
import { lastDayOf } from '@/lib/time';
import type { ChartLook, ChartOption } from '@/ui/chart';
import { exactCell, numberColumn, type DrawnTable } from '../drawn';
import { exactText, labelText, tickText } from '../numbers';
import { flatPad, type MatrixModel } from '../matrix';
import { cut, itemTooltip, tooltipHtml } from '../tooltip';
import type { HeatmapOptions } from './options';

export function drawn(model: MatrixModel, options: HeatmapOptions): DrawnTable {
  const calendar = options.layout === 'calendar';
  return {
    columns: [{ name: options.x, type: model.xType }, ...(calendar ? [] : [{ name: options.y, type: model.yType }]), numberColumn(options.value, options)],
    rows: model.cells.map((cell) => [model.xs[cell.x] ?? '', ...(calendar ? [] : [model.ys[cell.y] ?? '']), exactCell(cell.value)]),
  };
}

export function draw(model: MatrixModel, options: HeatmapOptions, look: ChartLook): ChartOption {
  const calendar = options.layout === 'calendar';
  const colours = options.palette === 'diverging' ? look.diverging : look.sequential;
  const pad = flatPad(model.low, model.high);
  // What parts the cells must leave something of them.
  const narrowest = Math.min(look.width / model.xs.length, look.height / (calendar ? 7 : model.ys.length));
  const tooltip = itemTooltip(look, ({ dataIndex }) => {
    const cell = model.cells[dataIndex];
    if (!cell) return '';
    const place = calendar ? [model.xs[cell.x] ?? ''] : [model.xs[cell.x] ?? '', model.ys[cell.y] ?? ''];
    return tooltipHtml(place.join(', '), [{ name: options.value, value: exactText(cell.value, options) }]);
  });
  const series = {
    type: 'heatmap',
    itemStyle: { borderColor: look.surface, borderWidth: model.cells.length > 3_000 || narrowest < 4 ? 0 : 1 },
    emphasis: { itemStyle: { borderColor: look.strong, borderWidth: 1.5 } },
    label: { show: options.labels, fontSize: look.fontSize, formatter: ({ dataIndex }: { dataIndex: number }) => labelText(model.cells[dataIndex]?.value ?? null, options) },
    progressive: 2_000,
  };
  const visualMap = {
    type: options.steps ? 'piecewise' : 'continuous',
    show: options.legend,
    min: model.low - pad,
    max: model.high + pad,
    splitNumber: 7,
    inRange: { color: [...colours] },
    orient: 'horizontal',
    left: 'center',
    bottom: 0,
    itemWidth: 12,
    itemHeight: options.steps ? 12 : Math.min(200, look.width / 3),
    text: options.steps ? undefined : [tickText(model.high), tickText(model.low)],
    textStyle: { color: look.soft, fontSize: look.fontSize },
    formatter: options.steps ? (from: number, to: number) => `${tickText(from)} – ${tickText(to)}` : undefined,
    calculable: false,
  };
  const foot = options.legend ? 44 : 8;
  if (calendar) return { tooltip, visualMap, ...calendarParts(model, look, foot), series: calendarSeries(model, series) } as ChartOption;
  // Every so many columns have a name: left to themselves, short names stand closer than long ones.
  const widest = Math.max(0, ...model.xTicks.map((label) => cut(label, 18).length)) * look.fontSize * 0.62 + 10;
  const step = Math.max(1, Math.ceil((widest * model.xTicks.length) / Math.max(1, look.width - 70)));
  const axis = (labels: readonly string[], most: number) => ({
    type: 'category',
    data: labels.map((label) => cut(label, most)),
    axisLabel: { color: look.soft, fontSize: look.fontSize, hideOverlap: true },
    axisLine: { show: false },
    axisTick: { show: false },
    splitArea: { show: false },
  });
  const named = axis(model.xTicks, 18);
  return {
    tooltip,
    visualMap,
    grid: { left: 8, right: 8, top: 8, bottom: foot, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: { ...named, axisLabel: { ...named.axisLabel, interval: step - 1 } },
    yAxis: { ...axis(model.yTicks, 20), inverse: true },
    series: [{ ...series, data: model.cells.map((cell) => [cell.x, cell.y, cell.point]) }],
  } as ChartOption;
}

const yearsOf = (model: MatrixModel) => [...new Set(model.xs.map((label) => label.slice(0, 4)))].sort();

function calendarParts(model: MatrixModel, look: ChartLook, foot: number) {
  const years = yearsOf(model);
  const height = (look.height - foot - 8) / years.length;
  const months = years.map((year) => {
    const own = model.xs.filter((label) => label.startsWith(year)).sort();
    return [(own[0] ?? year).slice(0, 7), (own.at(-1) ?? year).slice(0, 7)];
  });
  return {
    calendar: years.map((year, index) => {
      const [from = year, to = year] = months[index] ?? [];
      const single = from === to;
      return {
        range: single ? from : [`${from}-01`, lastDayOf(to)],
        top: 26 + index * height,
        left: 56,
        right: single ? undefined : 12,
        cellSize: ['auto', Math.max(6, Math.min(26, (height - 34) / 7))],
        itemStyle: { color: 'transparent', borderColor: look.line, borderWidth: 0.5 },
        splitLine: { lineStyle: { color: look.soft, width: 1 } },
        dayLabel: { color: look.soft, fontSize: look.fontSize, firstDay: 1 },
        monthLabel: { color: look.soft, fontSize: look.fontSize },
        yearLabel: { show: years.length > 1, color: look.soft, fontSize: look.fontSize },
      };
    }),
  };
}

/** One series a year, so every cell keeps its place among the model's cells: other years are left empty. */
function calendarSeries(model: MatrixModel, series: object) {
  return yearsOf(model).map((year, index) => ({
    ...series,
    coordinateSystem: 'calendar',
    calendarIndex: index,
    data: model.cells.map((cell) => {
      const day = model.xs[cell.x] ?? '';
      return day.startsWith(year) ? [day, cell.point] : [`${year}-01-01`, '-'];
    }),
  }));
}
