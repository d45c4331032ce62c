/** What draws a theme river, apart from the page. */
import type { Drawing } from '../drawing';
import type { SeriesModel } from '../series';
import { draw } from './draw';
import { defaults, type ThemeRiverOptions } from './options';
import { transform } from './transform';

export const drawing: Drawing<ThemeRiverOptions, SeriesModel> = { parts: 'more', defaults, transform, draw };
