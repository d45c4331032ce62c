/** What draws a sunburst, apart from the page. */
import type { Drawing } from '../drawing';
import { draw } from './draw';
import { defaults, type SunburstOptions } from './options';
import { transform, type SunburstModel } from './transform';

export const drawing: Drawing<SunburstOptions, SunburstModel> = { parts: 'more', defaults, transform, draw };
