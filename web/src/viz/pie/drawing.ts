/** What draws a pie, apart from the page. */
import type { Drawing } from '../drawing';
import { draw } from './draw';
import { defaults, type PieOptions } from './options';
import { transform, type PieModel } from './transform';

export const drawing: Drawing<PieOptions, PieModel> = { defaults, transform, draw };
