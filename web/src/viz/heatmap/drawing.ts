/** What draws a heatmap, apart from the page. */
import type { Drawing } from '../drawing';
import type { MatrixModel } from '../matrix';
import { draw } from './draw';
import { defaults, type HeatmapOptions } from './options';
import { transform } from './transform';

export const drawing: Drawing<HeatmapOptions, MatrixModel> = { parts: 'more', defaults, transform, draw };
