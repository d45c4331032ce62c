/** What a MAPREDUCE job is made of, and what its fields may hold. */

export const PARTS = ['driver', 'mapper', 'combiner', 'reducer'] as const;
export type Part = (typeof PARTS)[number];

export interface MapReduceSpec extends Partial<Record<Part, string>> {
  tableName?: string;
  startDate?: string;
  endDate?: string;
  /** `rows`: the rows are the result only, no table is written. */
  result?: 'table' | 'rows';
}

export type FieldProblem = 'tableName' | 'dates' | 'empty';

const TABLE_NAME = /^[A-Za-z]\w{0,19}$/;

export const asSpec = (spec: object): MapReduceSpec => spec;

/** What is wrong with each field before it is sent. */
export function problemsOf(spec: MapReduceSpec): Partial<Record<keyof MapReduceSpec, FieldProblem>> {
  const problems: Partial<Record<keyof MapReduceSpec, FieldProblem>> = {};
  if (spec.result !== 'rows' && !TABLE_NAME.test(spec.tableName ?? '')) problems.tableName = 'tableName';
  if (spec.startDate && spec.endDate && spec.startDate > spec.endDate) problems.endDate = 'dates';
  for (const part of ['driver', 'mapper', 'reducer'] as const) if ((spec[part] ?? '').trim() === '') problems[part] = 'empty';
  return problems;
}

export const firstSpec = (): MapReduceSpec => ({
  tableName: '',
  startDate: '',
  endDate: '',
  driver: `({
  input: 'transactions',
  columns: ['from_address', 'value'],
  output: { sender: 'address', transactions: 'bigint', wei: 'uint256' },
})
`,
  mapper: `(row, emit) => {
  emit(row.from_address, [1n, row.value]);
}
`,
  reducer: `(sender, values, emit) => {
  let [transactions, wei] = [0n, 0n];
  for (const [one, value] of values) [transactions, wei] = [transactions + one, wei + value];
  emit({ sender, transactions, wei });
}
`,
});

const HEADS = ['tableName', 'startDate', 'endDate', 'result'] as const;

/** The spec that a job's file holds: fields in comments at its head, then a part after each line `// ---- mapper ----`. */
export function readSpec(text: string): MapReduceSpec {
  const [head = '', ...rest] = text.split(/^\/\/ *--+ *(driver|mapper|combiner|reducer) *--+ *$/m);
  if (rest.length === 0) return firstSpec();
  const spec: Record<string, string> = { tableName: '', startDate: '', endDate: '' };
  for (const name of HEADS) {
    const value = new RegExp(`^// *${name}: *(.+?) *$`, 'm').exec(head)?.[1];
    if (value !== undefined) spec[name] = value;
  }
  for (let at = 0; at + 1 < rest.length; at += 2) spec[rest[at] ?? ''] = `${(rest[at + 1] ?? '').trim()}\n`;
  return spec;
}

/** A trial: the rows of one day as the result, and no table. */
export const trialOf = (spec: MapReduceSpec, day: string): MapReduceSpec => ({ ...spec, tableName: '', result: 'rows', startDate: day, endDate: day });
