/** A visualization as it is stored and travels over the API: its type and the options that type has. */
import type { AreaOptions } from './area/options';
import type { BarOptions } from './bar/options';
import type { Bar3dOptions } from './bar3d/options';
import type { BoxplotOptions } from './boxplot/options';
import type { CounterOptions } from './counter/options';
import type { FunnelOptions } from './funnel/options';
import type { GaugeOptions } from './gauge/options';
import type { GraphOptions } from './graph/options';
import type { HeatmapOptions } from './heatmap/options';
import type { LineOptions } from './line/options';
import type { ParallelOptions } from './parallel/options';
import type { PieOptions } from './pie/options';
import type { RadarOptions } from './radar/options';
import type { SankeyOptions } from './sankey/options';
import type { ScatterOptions } from './scatter/options';
import type { SunburstOptions } from './sunburst/options';
import type { TableOptions } from './table/options';
import type { ThemeRiverOptions } from './themeRiver/options';
import type { TreeOptions } from './tree/options';
import type { VizId } from './types';

interface OptionsByType {
  table: TableOptions;
  counter: CounterOptions;
  pie: PieOptions;
  bar: BarOptions;
  line: LineOptions;
  area: AreaOptions;
  scatter: ScatterOptions;
  radar: RadarOptions;
  funnel: FunnelOptions;
  heatmap: HeatmapOptions;
  bar3d: Bar3dOptions;
  boxplot: BoxplotOptions;
  parallel: ParallelOptions;
  tree: TreeOptions;
  sankey: SankeyOptions;
  sunburst: SunburstOptions;
  themeRiver: ThemeRiverOptions;
  graph: GraphOptions;
  gauge: GaugeOptions;
}

/** `{ type: 'bar', options: { x, y, … } }`; what is left out is found in the result. */
export type Visualization = { [T in VizId]: { readonly type: T; readonly options: Partial<OptionsByType[T]> } }[VizId];
