/** What a model is: queries whose rows are nodes and links, and what the page says about them. */
import type { Schemas } from '@/api/call';
import type { paths } from '@/api/schema';
import type { Texts } from '@/i18n/texts';

export type ModelId = paths['/api/model/rows']['get']['parameters']['query']['model'];
/** The texts whose rows are drawn; of the kind GRAPH it is one text, whose nodes and edges are. */
export type Queries = Schemas['ModelQueries'];
export type Kind = keyof Texts['models']['kind'];

/** Most that is drawn: what lies beyond is told, not shown. */
export const MOST_NODES = 3000;
export const MOST_LINKS = 6000;

/** How positions are found: by the links, along time in lanes of kinds, blocks with their transactions (as towers, or flat as columns), or a curve for each kind. */
export type Layout = 'force' | 'time' | 'blocks' | 'columns' | 'curve';

/** What the sizes of the rows count; amounts of wei and tokens stay exact. */
export type Unit = 'wei' | 'count' | 'raw';

export type Control =
  | { readonly name: 'similarity' | 'days' | 'hops' | 'direction' | 'largest' | 'least' | 'blocks'; readonly kind: 'choice'; readonly options: readonly string[]; readonly start: string }
  | { readonly name: 'poor'; readonly kind: 'switch'; readonly start: string }
  | { readonly name: 'day' | 'month'; readonly kind: 'date' }
  | { readonly name: 'address' | 'token'; readonly kind: 'address' }
  /** A query of the person's own, in place of the model's. */
  | { readonly name: 'cypher'; readonly kind: 'text' };

/** The chain in the lake; milliseconds since 1970. */
export interface Lake {
  readonly first: number;
  readonly head: number;
  readonly headNumber: number;
  readonly sample: boolean;
}

export interface Model {
  readonly id: ModelId;
  /** Below `/visualization_model/`, with the names of parameters: `dapp-user/:month`. */
  readonly path: string;
  readonly layout: Layout;
  readonly unit: Unit;
  /** The kinds of nodes in the order of their colours. */
  readonly kinds: readonly Kind[];
  readonly controls: readonly Control[];
  /** Colours tell connected parts apart, not kinds. */
  readonly clusters?: true;
  /** Colours tell at first which hub a node hangs on, not its kind: most nodes are of one kind. */
  readonly hubs?: true;
  /** Follows the newest blocks. */
  readonly live?: true;
}
