// The shape of the texts: English decides which keys there are; plural forms that only English has are left out elsewhere.
import type en from './en';
import type charts from './en/charts';

export type Texts = typeof en & typeof charts;

/** The texts that every page has, and those of the pages with charts. */
export type PageTexts = Shape<typeof en>;
export type ChartTexts = Shape<typeof charts>;

type Shape<T> = {
  [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Shape<T[K]>;
};
