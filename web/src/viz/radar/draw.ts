/** Shapes over a star of axes. */
import type { ChartLook, ChartOption } from '@/ui/chart';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { colourOf, titleOf } from '../looks';
import { exactText } from '../numbers';
import { cut, itemTooltip, legendOption, tooltipHtml } from '../tooltip';
import type { RadarOptions } from './options';
import type { RadarModel } from './transform';

export function drawn(model: RadarModel, options: RadarOptions): DrawnTable {
  return {
    columns: [textColumn(options.name || '#'), ...model.indicators.map((indicator) => numberColumn(indicator.name, options))],
    rows: model.shapes.map((shape) => [titleOf(options.series, shape.name), ...shape.values.map(exactCell)]),
  };
}

export function draw(model: RadarModel, options: RadarOptions, look: ChartLook): ChartOption {
  const legend = options.legend && model.shapes.length > 1;
  return {
    legend: legendOption(look, legend, 'roundRect'),
    tooltip: itemTooltip(look, ({ seriesIndex }) => {
      const shape = model.shapes[seriesIndex];
      if (!shape) return '';
      return tooltipHtml(titleOf(options.series, shape.name), model.indicators.map((indicator, at) => ({ name: indicator.name, value: exactText(shape.values[at] ?? null, options) })));
    }),
    radar: {
      indicator: model.indicators.map(({ name, min, max }) => ({ name: cut(name, 22), min, max })),
      shape: options.outline,
      radius: look.width < 400 ? '58%' : '68%',
      center: ['50%', legend ? '55%' : '51%'],
      splitNumber: 4,
      axisName: { color: look.text, fontSize: look.fontSize },
      axisLine: { lineStyle: { color: look.line } },
      splitLine: { lineStyle: { color: look.line } },
      splitArea: { show: false },
    },
    series: model.shapes.map((shape, index) => {
      const colour = colourOf(options.series, look, shape.name, index);
      return {
        type: 'radar',
        name: titleOf(options.series, shape.name),
        color: colour,
        symbol: ['circle', 'rect', 'triangle', 'diamond'][index % 4],
        symbolSize: 5,
        lineStyle: { width: 2, type: index >= 6 ? 'dashed' : 'solid' },
        areaStyle: options.filled ? { color: colour, opacity: 0.14 } : undefined,
        emphasis: { focus: 'series' },
        data: [{ value: [...shape.points], name: titleOf(options.series, shape.name) }],
      };
    }),
  };
}
