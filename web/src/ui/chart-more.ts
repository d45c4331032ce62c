/** The drawing code of the rarer charts. */
import { BoxplotChart, FunnelChart, GaugeChart, GraphChart, HeatmapChart, ParallelChart, RadarChart, SankeyChart, SunburstChart, ThemeRiverChart, TreeChart } from 'echarts/charts';
import { CalendarComponent, ParallelComponent, RadarComponent, SingleAxisComponent, VisualMapComponent } from 'echarts/components';
import { use as register } from 'echarts/core';

register([
  BoxplotChart,
  FunnelChart,
  GaugeChart,
  GraphChart,
  HeatmapChart,
  ParallelChart,
  RadarChart,
  SankeyChart,
  SunburstChart,
  ThemeRiverChart,
  TreeChart,
  CalendarComponent,
  ParallelComponent,
  RadarComponent,
  SingleAxisComponent,
  VisualMapComponent,
]);
