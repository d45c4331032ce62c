/** What charts have in common when they are drawn: tooltips, legends and colours. Every text of a result is escaped here. */
import type { ChartLook, ChartOption } from '@/ui/chart';

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);

export interface TooltipLine {
  readonly colour?: string | undefined;
  readonly name: string;
  readonly value: string;
}

/** Names and numbers of any length stay inside of the drawing. */
const LONG = 'max-width:min(360px,60vw);white-space:normal;overflow-wrap:anywhere';

/** A tooltip's content: a head and lines of name and value. */
export function tooltipHtml(head: string, lines: readonly TooltipLine[]): string {
  const body = lines.map(({ colour, name, value }) => {
    const dot = colour === undefined ? '' : `<span style="display:inline-block;width:9px;height:9px;border-radius:2px;margin-right:6px;background:${escapeHtml(colour)}"></span>`;
    return `<div style="display:flex;gap:16px;justify-content:space-between"><span style="${LONG}">${dot}<bdi>${escapeHtml(name)}</bdi></span><b style="font-weight:500;${LONG}">${escapeHtml(value)}</b></div>`;
  });
  const top = head === '' ? '' : `<div style="margin-bottom:4px;${LONG}"><bdi>${escapeHtml(head)}</bdi></div>`;
  return top + body.join('');
}

/** The part of an echarts tooltip's question that is used here. */
export interface Hovered {
  readonly dataIndex: number;
  readonly seriesIndex: number;
  readonly dataType?: string;
  readonly data: unknown;
  readonly name: string;
}

type TooltipOption = Extract<ChartOption['tooltip'], { trigger?: unknown }>;

/** A tooltip over single items; `html` answers an empty text where there is nothing to say. */
export function itemTooltip(look: ChartLook, html: (hovered: Hovered) => string): TooltipOption {
  return { ...tooltipLook(look), trigger: 'item', formatter: (hovered) => html((Array.isArray(hovered) ? hovered[0] : hovered) as unknown as Hovered) };
}

export function tooltipLook(look: ChartLook): TooltipOption {
  return { confine: true, backgroundColor: look.surface, borderColor: look.line, textStyle: { color: look.text, fontSize: look.fontSize } };
}

const SLATE = 8;

/** The place in the palette, from 0, of what stands at `index`; slate is kept for what a limit cut off. */
export function placeAt(index: number, other = false): number {
  // The tenth of ten has slate for itself: an eleventh would be "other".
  return other || index === 9 ? SLATE : index % 9 >= SLATE ? 9 : index % 9;
}

/** Colours in their order. */
export const colourAt = (look: ChartLook, index: number, other = false): string => look.series[placeAt(index, other)] ?? look.text;

type LegendOption = Exclude<ChartOption['legend'], readonly unknown[] | undefined>;

/** A legend above the chart, at the left, that scrolls when it is long. */
export function legendOption(look: ChartLook, shown: boolean, icon?: string): LegendOption {
  if (!shown) return { show: false };
  return {
    type: 'scroll',
    top: 0,
    left: 0,
    itemWidth: 10,
    itemHeight: 10,
    ...(icon === undefined ? {} : { icon }),
    // One name does not take the place of all others.
    formatter: (name: string) => cut(name, 28),
    textStyle: { color: look.text, fontSize: look.fontSize },
    pageTextStyle: { color: look.soft },
    pageIconColor: look.text,
    pageIconInactiveColor: look.line,
  };
}

/** Charts up to this many pixels have no room for long texts beside their shapes. */
export const NARROW = 340;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A text for a place beside others: one that runs from right to left takes no number behind it along. */
export const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

/** A text cut to what a label has room for. */
export function cut(text: string, most = 24): string {
  // Code points are enough here: a cut emoji is still a readable label.
  const signs = Array.from(text);
  if (/^0x[0-9a-f]{16,}$/i.test(text)) return `${text.slice(0, 6)}…${text.slice(-4)}`;
  return signs.length > most ? `${signs.slice(0, most - 1).join('')}…` : text;
}
