/** The builder's fields of a type, written as a list: each names the option it sets. */
import type { Texts } from '@/i18n/texts';
import { lazyPart } from '@/ui/part';
import type { EditorProps } from './types';

export type FieldLabel = keyof Texts['viz']['field'];
export type ChoiceLabel = keyof Texts['viz']['choice'];

type KeyOf<O, V> = { [K in keyof O]-?: O[K] extends V ? K : never }[keyof O] & string;
type ChoiceField<O> = { [K in keyof O]-?: O[K] extends string ? { kind: 'choice'; key: K & string; values: Readonly<Record<O[K], ChoiceLabel>> } : never }[keyof O];

type Body<O> =
  | { kind: 'column'; key: KeyOf<O, string>; numeric?: true; optional?: ChoiceLabel }
  | { kind: 'columns'; key: KeyOf<O, string[]>; numeric?: true }
  /** Columns that follow each other: their order counts, and none stands twice. */
  | { kind: 'levels'; key: KeyOf<O, string[]> }
  | ChoiceField<O>
  | { kind: 'toggle'; key: KeyOf<O, boolean> }
  | { kind: 'number'; key: KeyOf<O, number>; min: number; max: number }
  /** The largest so many are drawn, and what is left as one more unless it is `left out`; 0 is all of them, -1 as many as can be told apart. */
  | { kind: 'top'; key: KeyOf<O, number>; values: readonly number[]; rest?: 'leftOut' }
  | { kind: 'text'; key: KeyOf<O, string> };

export type Field<O, M> = ((Body<O> & { label: FieldLabel }) | { kind: 'section'; label: keyof Texts['viz']['section'] } | { kind: 'dress' } | { kind: 'lines' } | { kind: 'series'; names: (model: M) => readonly string[]; right?: (options: O) => boolean }) & {
  /** The field is there only while this holds; without a `model` the chart can't be drawn. */
  when?: (options: O, model: M | undefined) => boolean;
};

/** The editor of a type whose fields are a list. What draws the fields comes when it is first shown: charts need none of it. */
export function editorOf<O extends object, M>(fields: readonly Field<O, M>[]) {
  return lazyPart(async () => {
    const { FieldList } = await import('./field-list');
    return { default: (props: EditorProps<O, M>) => <FieldList fields={fields} {...props} /> };
  });
}
