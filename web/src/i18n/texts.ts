// The shape of the texts: English decides which keys there are; plural forms that only English has are left out elsewhere.
import type en from './en';

export type Texts = typeof en;

type Shape<T> = {
  [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Shape<T[K]>;
};

export type Translation = Shape<Texts>;
