/** A chart as SVG text, drawn once outside the page. */
import type { EChartsOption } from 'echarts';
import { init, use as register } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

register([SVGRenderer]);

export function svgText(option: EChartsOption, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption(option);
  const text = chart.renderToSVGString();
  chart.dispose();
  return text;
}
