import { expect, it } from 'vitest';
import { bare } from './chart-picture';

it('leaves the shapes and drops what is read', () => {
  const option = bare({
    legend: { show: true },
    tooltip: {},
    dataZoom: [{ type: 'slider' }],
    grid: { left: 8, bottom: 44 },
    xAxis: { type: 'category', data: ['a', 'b'], show: true },
    yAxis: { type: 'value' },
    series: [{ type: 'bar', data: [3, 4], label: { show: true }, color: '#123456' }],
  }) as Record<string, unknown>;
  expect(Object.keys(option).sort()).toEqual(['grid', 'series', 'xAxis', 'yAxis']);
  expect(option['xAxis']).toEqual([{ type: 'category', data: ['a', 'b'], show: false }]);
  expect(option['series']).toMatchObject([{ type: 'bar', data: [3, 4], color: '#123456', label: { show: false } }]);
});

it('keeps a ring a ring and a pie a pie', () => {
  const radius = (given: [string, string]) => (bare({ series: [{ type: 'pie', radius: given }] }) as { series: { radius: unknown }[] }).series[0]?.radius;
  expect(radius(['44%', '66%'])).toEqual(['52%', '92%']);
  expect(radius(['0%', '66%'])).toEqual(['0%', '92%']);
});

it('draws a curve wider, but not the gap between stacked areas', () => {
  const width = (given: object) => (bare({ series: [{ type: 'line', lineStyle: { width: 1 }, ...given }] }) as { series: { lineStyle: { width: number } }[] }).series[0]?.lineStyle.width;
  expect(width({})).toBe(3);
  expect(width({ areaStyle: { opacity: 0.9 }, stack: undefined })).toBe(3);
  expect(width({ areaStyle: { opacity: 0.9 }, stack: 'all' })).toBe(1);
});
