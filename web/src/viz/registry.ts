/** All visualization types, in the order in which the builder offers them. */
import { area } from './area';
import { bar } from './bar';
import { bar3d } from './bar3d';
import { boxplot } from './boxplot';
import { counter } from './counter';
import { funnel } from './funnel';
import { gauge } from './gauge';
import { graph } from './graph';
import { heatmap } from './heatmap';
import { line } from './line';
import { parallel } from './parallel';
import { pie } from './pie';
import { radar } from './radar';
import { sankey } from './sankey';
import { scatter } from './scatter';
import { sunburst } from './sunburst';
import { table } from './table';
import { themeRiver } from './themeRiver';
import { tree } from './tree';
import type { VizId, VizType } from './types';

export const vizTypes: readonly VizType[] = [table, counter, pie, bar, line, area, scatter, radar, funnel, heatmap, bar3d, boxplot, parallel, tree, sankey, sunburst, themeRiver, graph, gauge];

export function vizType(id: VizId): VizType {
  const found = vizTypes.find((type) => type.id === id);
  if (!found) throw new Error(`no visualization is called ${id}`);
  return found;
}
