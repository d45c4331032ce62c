/** What draws a scatter chart, apart from the page. */
import type { Drawing } from '../drawing';
import { draw } from './draw';
import { defaults, type ScatterOptions } from './options';
import { transform, type ScatterModel } from './transform';

export const drawing: Drawing<ScatterOptions, ScatterModel> = { defaults, transform, draw };
