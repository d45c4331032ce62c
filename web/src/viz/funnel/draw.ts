/** Steps under one another, as wide as their value. */
import { groupExact } from '@/lib/exact';
import type { ChartLook, ChartOption } from '@/ui/chart';
import { cutTo, widthOf } from '../axis-names';
import type { Words } from '../define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { colourOf, titleOf } from '../looks';
import { exactText, labelText } from '../numbers';
import { cut, isolated, itemTooltip, legendOption, NARROW, tooltipHtml } from '../tooltip';
import type { FunnelOptions } from './options';
import type { FunnelModel } from './transform';

/** Pixels between the widest step and what is written beside it. */
const SPACE = 12;

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
  const across = options.align === 'center' ? (look.width > 520 ? 0.6 : look.width > NARROW ? 0.48 : 0.4) : 0.58;
  const edge = vertical ? (options.align === 'center' ? 0.04 : 0.02) * look.width : 0;
  // The numbers stand beside the widest step, one below the other, where also those of narrow steps can be read.
  const left = options.align === 'right';
  const column = left ? look.width - edge - across * look.width - SPACE : edge + across * look.width + SPACE;
  const columnWidth = (left ? column : look.width - column) - 4;
  const partsOf = (step: FunnelModel['steps'][number]) => ({ name: titleOf(options.series, step.name), value: `  ${labelText(step.value, options)}`, share: step.share ? `  ${groupExact(step.share)}%` : '' });
  // Where one step has no room for all three, the tooltips have the values: a column that some steps leave out would mislead.
  const crowded = look.width <= NARROW || (vertical && steps.map(partsOf).some(({ name, value, share }) => widthOf(name + value + share, look.fontSize) > columnWidth));
  const text = (at: number): string => {
    const step = steps[at];
    if (!step) return '';
    const { name, value, share } = partsOf(step);
    const numbers = share !== '' && crowded ? share : value + share;
    return isolated(vertical ? cutTo(name, columnWidth - widthOf(numbers, look.fontSize), look.fontSize) : cut(name)) + numbers;
  };
  const place = vertical ? (left ? 'left' : 'right') : 'bottom';
  const room = vertical ? { [left ? 'right' : 'left']: edge, width: across * look.width } : { left: '2%', right: '2%', bottom: 40 };
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
        label: { show: true, position: place, color: look.text, fontSize: look.fontSize, formatter: ({ dataIndex }: { dataIndex: number }) => text(dataIndex) },
        labelLine: { show: !vertical, length: 12, lineStyle: { color: look.line } },
        ...(vertical ? { labelLayout: { x: column, align: left ? ('right' as const) : ('left' as const) } } : {}),
        data: steps.map((step, at) => ({ name: titleOf(options.series, step.name), value: step.point, itemStyle: { color: colourOf(options.series, look, step.name, at) } })),
      },
    ],
  };
}
