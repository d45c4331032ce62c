/** What draws a tree, apart from the page. */
import type { Drawing } from '../drawing';
import { draw } from './draw';
import { defaults, type TreeOptions } from './options';
import { transform, type TreeModel } from './transform';

export const drawing: Drawing<TreeOptions, TreeModel> = { parts: 'more', defaults, transform, draw };
