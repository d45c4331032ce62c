/** Charts: the one place that knows echarts. Draws an option in the page's colours, follows theme and size, and can be saved as a picture. */
import { BarChart, LineChart } from 'echarts/charts';
import { AriaComponent, DataZoomComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use as register, type ComposeOption, type EChartsType } from 'echarts/core';
import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts';
import type { DataZoomComponentOption, GridComponentOption, LegendComponentOption, TooltipComponentOption } from 'echarts/components';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import { useScale } from '@/lib/scale';
import { useTheme } from '@/lib/theme';
import './chart.css';

register([BarChart, LineChart, GridComponent, TooltipComponent, LegendComponent, DataZoomComponent, AriaComponent, CanvasRenderer]);

export type ChartOption = ComposeOption<BarSeriesOption | LineSeriesOption | GridComponentOption | TooltipComponentOption | LegendComponentOption | DataZoomComponentOption>;

/** Colours and sizes of the page as it is now. */
export interface ChartLook {
  /** The ten colours of series in their order. */
  readonly series: readonly string[];
  readonly text: string;
  readonly soft: string;
  readonly line: string;
  readonly surface: string;
  readonly font: string;
  readonly fontSize: number;
}

export interface ChartHandle {
  /** The chart as a PNG data address, on the card's colour; null before it is drawn. */
  png(): string | null;
}

interface ChartProps {
  option: (look: ChartLook) => ChartOption;
  /** What the chart shows, for readers who can't see it. */
  label: string;
  ref?: Ref<ChartHandle>;
}

function readLook(scale: number): ChartLook {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    series: Array.from({ length: 10 }, (_, index) => token(`--c${index + 1}`)),
    text: token('--t2'),
    soft: token('--t3'),
    line: token('--line'),
    surface: token('--surface'),
    font: getComputedStyle(document.body).fontFamily,
    fontSize: Math.max(12 * scale, 11.4),
  };
}

export function Chart({ option, label, ref }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  const theme = useTheme();
  const scale = useScale();

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const made = init(element);
    chart.current = made;
    const sizes = new ResizeObserver(() => made.resize());
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      chart.current = null;
      made.dispose();
    };
  }, []);

  useEffect(() => {
    const look = readLook(scale);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const shared = { animationDuration: 0, animationDurationUpdate: still ? 0 : 200, textStyle: { fontFamily: look.font, fontSize: look.fontSize }, useUTC: true };
    chart.current?.setOption({ ...shared, ...option(look) }, { notMerge: true });
  }, [option, theme, scale]);

  useImperativeHandle(
    ref,
    () => ({ png: () => chart.current?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: readLook(scale).surface }) ?? null }),
    [scale],
  );

  return <div ref={host} className="chart" role="img" aria-label={label} />;
}
