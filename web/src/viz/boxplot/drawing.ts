/** What draws a box plot, apart from the page. */
import type { Drawing } from '../drawing';
import { draw } from './draw';
import { defaults, type BoxplotOptions } from './options';
import { transform, type BoxplotModel } from './transform';

export const drawing: Drawing<BoxplotOptions, BoxplotModel> = { parts: 'more', defaults, transform, draw };
