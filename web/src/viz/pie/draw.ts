/** Slices as a ring, a pie or a rose. */
import { groupExact } from '@/lib/exact';
import { count } from '@/lib/format';
import type { ChartLook, ChartOption } from '@/ui/chart';
import { cutTo, widthOf } from '../axis-names';
import type { Words } from '../define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { colourOf, titleOf } from '../looks';
import { exactText, labelText } from '../numbers';
import { cut, isolated, itemTooltip, legendOption, NARROW, tooltipHtml } from '../tooltip';
import type { PieOptions } from './options';
import type { PieModel, Slice } from './transform';

function nameOf(slice: Slice, options: PieOptions, words: Words): string {
  return slice.other ? `${words('other')} (${count(slice.names)})` : titleOf(options.series, slice.name);
}

export function drawn(model: PieModel, options: PieOptions, words: Words): DrawnTable {
  return {
    columns: [textColumn(options.category), numberColumn(options.value, options), { name: words('share'), type: 'decimal(76,2)' }],
    rows: model.slices.map((slice) => [nameOf(slice, options, words), exactCell(slice.value), exactCell(slice.share)]),
  };
}

export function draw(model: PieModel, options: PieOptions, look: ChartLook, words: Words): ChartOption {
  const { slices } = model;
  const wide = look.width > 1.5 * look.height && look.width > NARROW;
  const name = (at: number) => (slices[at] ? nameOf(slices[at], options, words) : '');
  const label = (at: number): string => {
    const slice = slices[at];
    if (!slice) return '';
    const named = options.legend ? '' : `${isolated(cut(name(at), 16))} `;
    if (options.label === 'percent') return `${named}${groupExact(slice.share)}%`;
    if (options.label === 'value') return named + labelText(slice.value, options);
    return cut(name(at), 20);
  };
  const shareOf = new Map(slices.map((slice, at) => [name(at), groupExact(slice.share)]));
  // Beside the pie there is room for the shares, which then need no lines to them.
  const listed = options.legend && wide && options.label === 'percent';
  // The shares stand whole behind the names.
  const room = 0.4 * look.width - 24 - widthOf('  100.00%', look.fontSize);
  const side = { ...legendOption(look, options.legend, 'roundRect'), formatter: (text: string) => (listed ? `${isolated(cutTo(cut(text, 26), room, look.fontSize))}  ${shareOf.get(text) ?? ''}%` : cut(text, 26)) };
  const legend = options.legend && wide ? { ...side, orient: 'vertical', left: '60%', top: 'middle' } : side;
  const outer = options.label === 'none' || listed ? '82%' : '66%';
  return {
    legend,
    tooltip: itemTooltip(look, ({ dataIndex }) => {
      const slice = slices[dataIndex];
      if (!slice) return '';
      return tooltipHtml('', [
        { colour: colourOf(options.series, look, slice.name, dataIndex, slice.other), name: name(dataIndex), value: exactText(slice.value, options) },
        { name: words('share'), value: `${groupExact(slice.share)}%` },
        { name: words('total'), value: exactText(model.total, options) },
      ]);
    }),
    series: [
      {
        type: 'pie',
        radius: options.shape === 'pie' ? ['0%', outer] : options.shape === 'rose' ? ['12%', outer] : [listed ? '52%' : '44%', outer],
        center: [options.legend && wide ? '30%' : '50%', options.legend && !wide ? '56%' : '50%'],
        roseType: options.shape === 'rose' ? 'radius' : undefined,
        avoidLabelOverlap: true,
        minShowLabelAngle: 4,
        itemStyle: { borderColor: look.surface, borderWidth: 1 },
        label: { show: options.label !== 'none' && !listed, overflow: 'none', color: look.text, fontSize: look.fontSize, formatter: ({ dataIndex }: { dataIndex: number }) => label(dataIndex) },
        labelLine: { length: 8, length2: 8, lineStyle: { color: look.line } },
        data: slices.map((slice, at) => ({ name: name(at), value: slice.point, itemStyle: { color: colourOf(options.series, look, slice.name, at, slice.other) } })),
      },
    ],
  } as ChartOption;
}
