/** Bars in space. */
import type { ChartLook, ChartOption } from '@/ui/chart';
import { axisHead, axisScale, exactText, tickText, unitOf } from '../numbers';
import { flatPad, type MatrixModel } from '../matrix';
import { cut, itemTooltip, tooltipHtml } from '../tooltip';
import type { Bar3dOptions } from './options';

export function draw(model: MatrixModel, options: Bar3dOptions, look: ChartLook): ChartOption {
  const texts = { textStyle: { color: look.soft, fontSize: look.fontSize, fontFamily: look.font } };
  const axis = (name: string, labels: readonly string[]) => ({
    type: 'category',
    name: cut(name, 18),
    nameTextStyle: { color: look.text, fontSize: look.fontSize, fontFamily: look.font },
    nameGap: 34,
    data: labels.map((label) => cut(label, 14)),
    axisLabel: { ...texts, interval: Math.max(0, Math.ceil(labels.length / 7) - 1), margin: 10 },
    axisLine: { lineStyle: { color: look.line } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: look.line } },
    axisPointer: { show: false },
  });
  const scale = axisScale([model.low, model.high]);
  const flat = flatPad(model.low, model.high);
  const coloured = options.legend && options.colourByValue;
  // echarts-gl brings no types of its own: the option is that of its documentation.
  const option: Record<string, unknown> = {
    tooltip: itemTooltip(look, ({ dataIndex }) => {
      const cell = model.cells[dataIndex];
      return cell ? tooltipHtml(`${model.xs[cell.x] ?? ''}, ${model.ys[cell.y] ?? ''}`, [{ name: options.value, value: exactText(cell.value, options) }]) : '';
    }),
    visualMap: {
      show: coloured,
      min: model.low - flat,
      max: model.high + flat,
      dimension: 2,
      inRange: { color: options.colourByValue ? look.sequential.slice(1) : [look.series[0] ?? look.text] },
      orient: 'horizontal',
      left: 'center',
      // Below, the names of the axes come close to the edge.
      top: 0,
      itemWidth: 12,
      itemHeight: Math.min(200, look.width / 3),
      text: [tickText(model.high), tickText(model.low)],
      textStyle: { color: look.soft, fontSize: look.fontSize },
      calculable: false,
    },
    xAxis3D: axis(options.x, model.xTicks),
    yAxis3D: axis(options.y, model.yTicks),
    zAxis3D: {
      type: 'value',
      name: axisHead('', scale, unitOf(options)),
      nameTextStyle: { color: look.text, fontSize: look.fontSize },
      splitNumber: 4,
      axisLabel: { ...texts, formatter: scale.tick },
      axisLine: { lineStyle: { color: look.line } },
      splitLine: { lineStyle: { color: look.line } },
      axisPointer: { show: false },
    },
    grid3D: {
      boxWidth: 120,
      boxDepth: Math.max(80, Math.min(120, (120 * model.ys.length) / Math.max(1, model.xs.length))),
      boxHeight: 70,
      top: coloured ? 8 : -6,
      bottom: 12,
      environment: look.surface,
      viewControl: { alpha: options.tilt, beta: options.turn, distance: 220, autoRotate: options.rotate && !look.still, animation: !look.still },
      light: { main: { intensity: 1.1, alpha: 42, beta: 24 }, ambient: { intensity: 0.4 } },
    },
    series: [
      {
        type: 'bar3D',
        shading: options.shading,
        bevelSize: options.bevel / 100,
        bevelSmoothness: options.bevel > 0 ? 3 : 0,
        label: { show: false },
        emphasis: { label: { show: false } },
        data: model.cells.map((cell) => ({ value: [cell.x, cell.y, cell.point] })),
      },
    ],
  };
  return option;
}
