// The points of an answer as a line.
import { useCallback } from 'react';
import { Chart, type ChartLook, type ChartOption } from '@/ui/chart';
import type { Point } from '../metrics';

export function ResponseChart({ points, label }: { points: readonly Point[]; label: string }) {
  const option = useCallback(
    (look: ChartLook): ChartOption => ({
      grid: { left: 8, right: 12, top: 12, bottom: 4, containLabel: true },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'time', axisLabel: { color: look.soft, fontSize: look.fontSize, hideOverlap: true }, axisLine: { lineStyle: { color: look.line } } },
      yAxis: { type: 'value', scale: true, splitNumber: 3, axisLabel: { color: look.soft, fontSize: look.fontSize }, splitLine: { lineStyle: { color: look.line } } },
      series: [{ type: 'line', showSymbol: points.length < 2, lineStyle: { width: 2 }, color: look.series[0] ?? look.strong, data: points.map(({ t, v }) => [t, v]) }],
    }),
    [points],
  );
  return <Chart option={option} label={label} />;
}
