// The shape of the texts: English decides which keys there are; plural forms that only English has are left out elsewhere.
import type en from './en';
import type account from './en/account';
import type charts from './en/charts';
import type dashboards from './en/dashboards';
import type official from './en/official';
import type share from './en/share';
import type community from './en/community';
import type decoder from './en/decoder';
import type editors from './en/editors';
import type palette from './en/palette';
import type models from './en/models';
import type ranking from './en/ranking';
import type papers from './en/papers';
import type unpublished from './en/unpublished';
import type assistant from './en/assistant';
import type docs from './en/docs';
import type dock from './en/dock';
import type system from './en/system';

export type Language = 'en' | 'zh';

/** The texts that load with some pages: a line for each bundle of `bundles.ts`. */
interface Bundles {
  account: typeof account;
  charts: typeof charts;
  dashboards: typeof dashboards;
  official: typeof official;
  share: typeof share;
  community: typeof community;
  decoder: typeof decoder;
  editors: typeof editors;
  palette: typeof palette;
  models: typeof models;
  ranking: typeof ranking;
  papers: typeof papers;
  unpublished: typeof unpublished;
  assistant: typeof assistant;
  docs: typeof docs;
  dock: typeof dock;
  system: typeof system;
}

export type Bundle = keyof Bundles;
export type BundleTexts<B extends Bundle> = Shape<Bundles[B]>;

/** The texts that every page has. */
export type PageTexts = Shape<typeof en>;

/** All keys there are. */
export type Texts = typeof en & AllOf<Bundles>;

type AllOf<T> = (T[keyof T] extends infer U ? (U extends unknown ? (texts: U) => void : never) : never) extends (texts: infer I) => void ? I : never;

type Shape<T> = {
  [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Shape<T[K]>;
};
