/** The types that have a small picture: all charts but those in space, which take a context of the graphics card each. */
import { drawing as area } from './area/drawing';
import { drawing as bar } from './bar/drawing';
import { drawing as boxplot } from './boxplot/drawing';
import { pictureFrom, type Picture } from './drawing';
import { drawing as funnel } from './funnel/drawing';
import { drawing as gauge } from './gauge/drawing';
import { drawing as graph } from './graph/drawing';
import { drawing as heatmap } from './heatmap/drawing';
import { drawing as line } from './line/drawing';
import { drawing as parallel } from './parallel/drawing';
import { drawing as pie } from './pie/drawing';
import { drawing as radar } from './radar/drawing';
import { drawing as sankey } from './sankey/drawing';
import { drawing as scatter } from './scatter/drawing';
import { drawing as sunburst } from './sunburst/drawing';
import { drawing as themeRiver } from './themeRiver/drawing';
import { drawing as tree } from './tree/drawing';
import type { VizId } from './types';

export const pictures: Partial<Record<VizId, Picture>> = {
  area: pictureFrom(area),
  bar: pictureFrom(bar),
  boxplot: pictureFrom(boxplot),
  funnel: pictureFrom(funnel),
  gauge: pictureFrom(gauge),
  // Its nodes stand by the pixels of the card: without legend and names they have all of it.
  graph: pictureFrom({ ...graph, draw: (model, options, look, words) => graph.draw(model, { ...options, legend: false, labels: 'none' }, look, words) }),
  heatmap: pictureFrom(heatmap),
  line: pictureFrom(line),
  parallel: pictureFrom(parallel),
  pie: pictureFrom(pie),
  radar: pictureFrom(radar),
  sankey: pictureFrom(sankey),
  scatter: pictureFrom(scatter),
  sunburst: pictureFrom(sunburst),
  themeRiver: pictureFrom(themeRiver),
  tree: pictureFrom(tree),
};
