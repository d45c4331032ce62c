/** The shapes of the common charts, on the page and in small pictures. */
import { BarChart, LineChart, PieChart, ScatterChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { use as register } from 'echarts/core';
import { LabelLayout } from 'echarts/features';

// Without the layout of labels those that cover each other stay, whatever a chart says.
register([BarChart, LineChart, PieChart, ScatterChart, GridComponent, LabelLayout]);
