/** How charts are drawn out of rows, apart from the page that shows them: a worker draws their pictures. */
import type { ChartLook, ChartOption, ChartParts } from '@/ui/chart-look';
import type { Words } from './define';
import { mergeOptions, type Outcome, type ResultTable } from './types';

/** What a type needs to draw; `O` are its options, `M` is what the transform hands to the drawing. */
export interface Drawing<O extends object, M> {
  /** The common ones when left out. */
  readonly parts?: ChartParts;
  readonly defaults: (table: ResultTable) => O;
  readonly transform: (table: ResultTable, options: O) => Outcome<M>;
  readonly draw: (model: M, options: O, look: ChartLook, words: Words) => ChartOption;
}

/** A small picture of a chart: `stored` options are whatever the server kept; null where the rows can't be drawn. */
export interface Picture {
  readonly parts: ChartParts;
  readonly option: (table: ResultTable, stored: unknown, look: ChartLook) => ChartOption | null;
}

export function pictureFrom<O extends object, M>({ parts = 'common', defaults, transform, draw }: Drawing<O, M>): Picture {
  return {
    parts,
    option: (table, stored, look) => {
      const options = mergeOptions(defaults(table), stored);
      const outcome = transform(table, options);
      // A small picture has no words in it.
      return outcome.ok ? draw(outcome.model, options, look, () => '') : null;
    },
  };
}
