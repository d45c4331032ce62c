/** What draws a sankey, apart from the page. */
import type { Drawing } from '../drawing';
import { draw } from './draw';
import { defaults, type SankeyOptions } from './options';
import { transform, type SankeyModel } from './transform';

export const drawing: Drawing<SankeyOptions, SankeyModel> = { parts: 'more', defaults, transform, draw };
