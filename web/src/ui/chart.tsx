/** Charts: the one place that knows echarts. Draws an option in the page's colours, follows theme and size, and can be saved as a picture. */
import type { EChartsOption } from 'echarts';
import { BarChart, LineChart, PieChart, ScatterChart } from 'echarts/charts';
import { AriaComponent, DataZoomComponent, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent } from 'echarts/components';
import { init, use as register, type EChartsType } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { usePatterns } from '@/lib/patterns';
import { useScale } from '@/lib/scale';
import { useTheme } from '@/lib/theme';
import './chart.css';

register([BarChart, LineChart, PieChart, ScatterChart, GridComponent, TooltipComponent, LegendComponent, DataZoomComponent, MarkLineComponent, AriaComponent, CanvasRenderer]);

export type ChartOption = EChartsOption;

/** Which drawing code a chart needs; what few charts need is loaded with the first of them. */
export type ChartParts = 'common' | 'more' | '3d';

const loaders: Record<ChartParts, () => Promise<unknown>> = {
  common: () => Promise.resolve(),
  more: () => import('./chart-more'),
  '3d': () => import('./chart-3d'),
};

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
  /** Size of the drawing in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export interface ChartHandle {
  /** The chart as a PNG data address, on the card's colour; null before it is drawn. */
  png(): string | null;
  /** The chart as SVG text; null before it is drawn. */
  svg(): Promise<string | null>;
}

interface ChartProps {
  option: (look: ChartLook) => ChartOption;
  /** What the chart shows, for readers who can't see it. */
  label: string;
  parts?: ChartParts;
  ref?: Ref<ChartHandle>;
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
    width: element.clientWidth,
    height: element.clientHeight,
  };
}

function fullOption(option: (look: ChartLook) => ChartOption, look: ChartLook, patterns: boolean): ChartOption {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const shared = { animationDuration: 0, animationDurationUpdate: still ? 0 : 200, textStyle: { fontFamily: look.font, fontSize: look.fontSize }, useUTC: true };
  return { ...shared, aria: { enabled: patterns, label: { enabled: false }, decal: { show: patterns } }, ...option(look) };
}

/** Steps in which a chart's size counts for its layout, in pixels. */
const SIZE_STEP = 40;
const stepped = (size: number) => Math.round(size / SIZE_STEP);

export function Chart({ option, label, parts = 'common', ref }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  const [ready, setReady] = useState(false);
  const [size, setSize] = useState('');
  const theme = useTheme();
  const scale = useScale();
  const patterns = usePatterns();

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let gone = false;
    const sizes = new ResizeObserver(() => {
      chart.current?.resize();
      setSize(`${stepped(element.clientWidth)} ${stepped(element.clientHeight)}`);
    });
    loaders[parts]().then(
      () => {
        if (gone) return;
        chart.current = init(element);
        setReady(true);
        sizes.observe(element);
      },
      (error: unknown) => console.error('The chart code could not be loaded', error),
    );
    return () => {
      gone = true;
      sizes.disconnect();
      chart.current?.dispose();
      chart.current = null;
      setReady(false);
    };
  }, [parts]);

  useEffect(() => {
    if (!ready || !host.current) return;
    chart.current?.setOption(fullOption(option, readLook(scale, host.current), patterns), { notMerge: true });
  }, [option, theme, scale, size, patterns, ready]);

  useImperativeHandle(ref, () => {
    const look = () => (host.current ? readLook(scale, host.current) : null);
    return {
      png: () => chart.current?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: look()?.surface ?? '#fff' }) ?? null,
      svg: async () => {
        const now = look();
        if (!now) return null;
        const { svgText } = await import('./chart-svg');
        return svgText({ backgroundColor: now.surface, ...fullOption(option, now, patterns), animation: false }, now.width, now.height);
      },
    };
  }, [option, patterns, scale]);

  return <div ref={host} className="chart" role="img" aria-label={label} data-ready={ready} />;
}
