/** What draws a graph, apart from the page. */
import type { Drawing } from '../drawing';
import { draw } from './draw';
import { defaults, type GraphOptions } from './options';
import { transform, type GraphModel } from './transform';

export const drawing: Drawing<GraphOptions, GraphModel> = { parts: 'more', defaults, transform, draw };
