import { init } from 'echarts/core';
import { expect, it } from 'vitest';
import type { ChartOption } from './chart-look';
import './chart-more';
import { inMotion, replace } from './chart-motion';
import './chart-svg';

it('no series begins slowly, whatever its kind does by itself', () => {
  const option = { series: [{ type: 'pie', data: [1] }, { type: 'sankey' }] } as ChartOption;
  expect(inMotion(option, false)).toEqual({
    animationDuration: 0,
    animationDurationUpdate: 200,
    series: [
      { type: 'pie', data: [1], animationDuration: 0, animationDurationUpdate: 200 },
      // It would clip its names away until a movement ends that never begins.
      { type: 'sankey', animation: false, animationDuration: 0, animationDurationUpdate: 200 },
    ],
  });
});

it('nothing moves for who asked for that', () => {
  const still = inMotion({ series: { type: 'sunburst' } }, true);
  expect(still).toMatchObject({ animationDurationUpdate: 0, series: [{ animationDuration: 0, animationDurationUpdate: 0 }] });
});

it.each([true, false])('a tree that changes shows all its names, whether anything moves or not: %s', (still) => {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 400, height: 300 });
  const branch = (name: string, ...below: string[]) => ({ name, children: below.map((leaf) => ({ name: `${name} ${leaf}`, children: [{ name: `${name} ${leaf} end` }] })) });
  const draw = (...data: object[]) => replace(chart, inMotion({ series: [{ type: 'tree', initialTreeDepth: 3, labelLayout: { hideOverlap: true }, label: { position: 'left' }, data: [{ name: 'all', children: data }] }] }, still));
  draw(branch('a', 'x', 'y'), branch('b', 'x', 'y'), branch('c', 'x', 'y'));
  draw(branch('c', 'x', 'y', 'z'), branch('d', 'x'));
  const names = [...chart.renderToSVGString().matchAll(/>([^<>]+)<\/text>/g)].map(([, name]) => name);
  expect(names.sort()).toEqual(['all', 'c', 'c x', 'c x end', 'c y', 'c y end', 'c z', 'c z end', 'd', 'd x', 'd x end']);
  chart.dispose();
});
