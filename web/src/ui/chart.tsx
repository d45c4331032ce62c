/** Charts: the one place that knows echarts. Draws an option in the page's colours, follows theme and size, and can be saved as a picture. */
import { AriaComponent, DataZoomComponent, LegendComponent, MarkLineComponent, TooltipComponent } from 'echarts/components';
import { init, use as register, type EChartsType } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { inTime, NotLoaded } from '@/lib/loading';
import { usePaper } from '@/lib/paper';
import { usePatterns } from '@/lib/patterns';
import { useScale } from '@/lib/scale';
import { useTheme } from '@/lib/theme';
import { readLook, type ChartLook, type ChartOption, type ChartParts } from './chart-look';
import { inMotion, replace } from './chart-motion';
import './chart-shapes';
import './chart.css';

register([TooltipComponent, LegendComponent, DataZoomComponent, MarkLineComponent, AriaComponent, CanvasRenderer]);

export type { ChartLook, ChartOption, ChartParts };

const loaders: Record<ChartParts, () => Promise<unknown>> = {
  common: () => Promise.resolve(),
  more: () => import('./chart-more'),
  '3d': () => import('./chart-3d'),
};

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

function fullOption(option: (look: ChartLook) => ChartOption, look: ChartLook, patterns: boolean): ChartOption {
  const shared = { textStyle: { fontFamily: look.font, fontSize: look.fontSize }, useUTC: true };
  return { ...shared, aria: { enabled: patterns, label: { enabled: false }, decal: { show: patterns } }, ...inMotion(option(look), look.still) };
}

/** Steps in which a chart's size counts for its layout, in pixels. */
const SIZE_STEP = 40;
const stepped = (size: number) => Math.round(size / SIZE_STEP);

export function Chart({ option, label, parts = 'common', ref }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  const [ready, setReady] = useState(false);
  const [failed, setFailed] = useState<NotLoaded | null>(null);
  const [size, setSize] = useState('');
  const theme = useTheme();
  const paper = usePaper();
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
      (error: unknown) => {
        if (!gone) setFailed(new NotLoaded(error));
      },
    );
    return () => {
      gone = true;
      sizes.disconnect();
      chart.current?.dispose();
      chart.current = null;
      setReady(false);
    };
  }, [parts]);

  // Drawn by the time that the page says it is ready: who prints or takes a picture waits for that.
  useLayoutEffect(() => {
    if (!ready || !host.current) return;
    if (!chart.current) return;
    // The browser prints at once, without a frame in which sizes are heard of and drawings follow.
    if (paper === 'print') chart.current.resize();
    replace(chart.current, fullOption(option, readLook(scale, host.current), patterns));
    if (paper === 'print') chart.current.getZr().flush();
  }, [option, theme, scale, size, patterns, paper, ready]);

  useImperativeHandle(ref, () => {
    const look = () => (host.current ? readLook(scale, host.current) : null);
    return {
      png: () => chart.current?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: look()?.surface ?? '#fff' }) ?? null,
      svg: async () => {
        const now = look();
        if (!now) return null;
        const { svgText } = await inTime(() => import('./chart-svg'));
        return svgText({ backgroundColor: now.surface, ...fullOption(option, now, patterns), animation: false }, now.width, now.height);
      },
    };
  }, [option, patterns, scale]);

  // The part around it tells so, and begins anew.
  if (failed) throw failed;
  return <div ref={host} className="chart" role="img" aria-label={label} data-ready={ready} />;
}
