/** What draws a radar chart, apart from the page. */
import type { Drawing } from '../drawing';
import { draw } from './draw';
import { defaults, type RadarOptions } from './options';
import { transform, type RadarModel } from './transform';

export const drawing: Drawing<RadarOptions, RadarModel> = { parts: 'more', defaults, transform, draw };
