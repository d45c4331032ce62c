/** What draws parallel coordinates, apart from the page. */
import type { Drawing } from '../drawing';
import { draw } from './draw';
import { defaults, type ParallelOptions } from './options';
import { transform, type ParallelModel } from './transform';

export const drawing: Drawing<ParallelOptions, ParallelModel> = { parts: 'more', defaults, transform, draw };
