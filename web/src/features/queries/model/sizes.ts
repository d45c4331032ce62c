/** Sizes of the panes, in pixels of the design; kept on this device. */
import { useState } from 'react';
import { readStored, writeStored } from '@/lib/storage';

export interface Sizes {
  schema: number;
  builder: number;
  /** Share of the height that the editor takes, in percent. */
  editor: number;
  /** The same, of kinds that are filled in as a form. */
  form: number;
}

const KEY = 'quarry.query.sizes';
const FIRST: Sizes = { schema: 292, builder: 384, editor: 48, form: 64 };
export const LIMITS = { schema: [200, 560], builder: [300, 640], editor: [20, 80], form: [20, 85] } as const;

function stored(): Sizes {
  try {
    const value = JSON.parse(readStored(KEY) ?? '{}') as Partial<Sizes>;
    const read = (name: keyof Sizes) => {
      const size = value[name];
      const [min, max] = LIMITS[name];
      return typeof size === 'number' && size >= min && size <= max ? size : FIRST[name];
    };
    return { schema: read('schema'), builder: read('builder'), editor: read('editor'), form: read('form') };
  } catch {
    return FIRST;
  }
}

export function useSizes(): [Sizes, (change: Partial<Sizes>) => void] {
  const [sizes, setSizes] = useState(stored);
  const change = (next: Partial<Sizes>) => {
    const all = { ...sizes, ...next };
    setSizes(all);
    writeStored(KEY, JSON.stringify(all));
  };
  return [sizes, change];
}
