/** The drawing code of charts in space: WebGL, loaded only where such a chart is shown. */
import { Bar3DChart } from 'echarts-gl/charts';
import { Grid3DComponent } from 'echarts-gl/components';
import { VisualMapComponent } from 'echarts/components';
import { use as register } from 'echarts/core';

register([Bar3DChart, Grid3DComponent, VisualMapComponent]);
