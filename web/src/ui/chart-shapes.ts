/** The shapes of the common charts, on the page and in small pictures. */
import { BarChart, LineChart, PieChart, ScatterChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { use as register } from 'echarts/core';

register([BarChart, LineChart, PieChart, ScatterChart, GridComponent]);
