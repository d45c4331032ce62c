/** Steps under one another, as wide as their value. */
import { groupExact } from '@/lib/exact';
import type { ChartLook, ChartOption } from '@/ui/chart';
import type { Words } from '../define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { colourOf, titleOf } from '../looks';
import { exactText, labelText } from '../numbers';
import { cut, itemTooltip, legendOption, NARROW, tooltipHtml } from '../tooltip';
import type { FunnelOptions } from './options';
import type { FunnelModel } from './transform';

const shareWord = (options: FunnelOptions) => (options.percent === 'previous' ? ('ofPrevious' as const) : ('ofFirst' as const));

export function drawn(model: FunnelModel, options: FunnelOptions, words: Words): DrawnTable {
  const shares = options.percent !== 'none';
  return {
    columns: [textColumn(options.step), numberColumn(options.value, options), ...(shares ? [{ name: words(shareWord(options)), type: 'decimal(76,2)' }] : [])],
    rows: model.steps.map((step) => [titleOf(options.series, step.name), exactCell(step.value), ...(shares ? [exactCell(step.share)] : [])]),
  };
}

export function draw(model: FunnelModel, options: FunnelOptions, look: ChartLook, words: Words): ChartOption {
  const { steps } = model;
  const vertical = options.orient === 'vertical';
  const text = (at: number): string => {
    const step = steps[at];
    if (!step) return '';
    const share = step.share ? `  ${groupExact(step.share)}%` : '';
    // Where there is no room for both, the tooltip has the value.
    const value = share !== '' && look.width <= NARROW ? '' : `  ${labelText(step.value, options)}`;
    return `${cut(titleOf(options.series, step.name))}${value}${share}`;
  };
  // The numbers stand beside the step, where also narrow ones can be read.
  const aside = vertical ? (options.align === 'right' ? 'left' : 'right') : 'bottom';
  const room = vertical ? (options.align === 'center' ? { left: '4%', width: look.width > 520 ? '60%' : look.width > NARROW ? '48%' : '40%' } : options.align === 'right' ? { right: '2%', width: '58%' } : { left: '2%', width: '58%' }) : { left: '2%', right: '2%', bottom: 40 };
  return {
    legend: legendOption(look, options.legend, 'roundRect'),
    tooltip: itemTooltip(look, ({ dataIndex }) => {
      const step = steps[dataIndex];
      if (!step) return '';
      const share = step.share ? [{ name: words(shareWord(options)), value: `${groupExact(step.share)}%` }] : [];
      return tooltipHtml('', [{ colour: colourOf(options.series, look, step.name, dataIndex), name: titleOf(options.series, step.name), value: exactText(step.value, options) }, ...share]);
    }),
    series: [
      {
        type: 'funnel',
        sort: 'none',
        orient: options.orient,
        funnelAlign: vertical ? options.align : 'center',
        gap: options.gap,
        top: options.legend ? 34 : 8,
        bottom: 8,
        ...room,
        minSize: '1%',
        itemStyle: { borderWidth: 0 },
        label: { show: true, position: aside, color: look.text, fontSize: look.fontSize, formatter: ({ dataIndex }: { dataIndex: number }) => text(dataIndex) },
        labelLine: { length: 12, lineStyle: { color: look.line } },
        data: steps.map((step, at) => ({ name: titleOf(options.series, step.name), value: step.point, itemStyle: { color: colourOf(options.series, look, step.name, at) } })),
      },
    ],
  };
}
