/** How charts look on the page as it is now. Apart from the drawing code, which not everyone who needs a look loads. */
import type { EChartsOption } from 'echarts';
import { paperNow } from '@/lib/paper';

export type ChartOption = EChartsOption;

/** Which drawing code a chart needs; what few charts need is loaded with the first of them. */
export type ChartParts = 'common' | 'more' | '3d';

/** Colours and sizes of the page as it is now. */
export interface ChartLook {
  /** The ten colours of series in their order. */
  readonly series: readonly string[];
  /** Seven colours from low to high. */
  readonly sequential: readonly string[];
  /** Nine colours from far below to far above the middle. */
  readonly diverging: readonly string[];
  readonly strong: string;
  readonly text: string;
  readonly soft: string;
  readonly line: string;
  readonly surface: string;
  readonly font: string;
  readonly fontSize: number;
  /** Nothing should move. */
  readonly still: boolean;
  /** Size of the drawing in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** The page's colours, for a drawing of some size. */
export function readLook(scale: number, element: { clientWidth: number; clientHeight: number }): ChartLook {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const tokens = (letter: string, count: number) => Array.from({ length: count }, (_, index) => token(`--${letter}${index + 1}`));
  return {
    series: tokens('c', 10),
    sequential: tokens('q', 7),
    diverging: tokens('d', 9),
    strong: token('--t1'),
    text: token('--t2'),
    soft: token('--t3'),
    line: token('--line'),
    surface: token('--surface'),
    font: getComputedStyle(document.body).fontFamily,
    fontSize: Math.max(12 * scale, 11.4),
    still: paperNow() !== null || matchMedia('(prefers-reduced-motion: reduce)').matches,
    width: element.clientWidth,
    height: element.clientHeight,
  };
}
