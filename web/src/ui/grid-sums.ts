/** The sums below the rows of a grid: each of a column that somebody asked for, over the rows that are there now. */
import { useEffect, useRef, useState } from 'react';
import type { RowSource } from './grid-rows';

type Sums = Readonly<Record<number, string>>;

export interface GridSums {
  readonly sums: Sums;
  /** Shows the sum of a column, or takes it away. */
  readonly toggle: (index: number) => void;
}

/** `onFailure` hears of a sum that could not be told. */
export function useSums(rows: RowSource, onFailure: () => void): GridSums {
  const [of, setOf] = useState(rows);
  const [sums, setSums] = useState<Sums>({});
  // A result that has run anew has the same name: sums of its former rows would be told of the new ones.
  if (of !== rows) {
    setOf(rows);
    setSums({});
  }
  /** What is answered for rows that are gone counts no more. */
  const current = useRef<RowSource | null>(null);
  useEffect(() => {
    current.current = rows;
    return () => {
      current.current = null;
    };
  }, [rows]);

  return {
    sums,
    toggle: (index) => {
      if (index in sums) setSums((now) => Object.fromEntries(Object.entries(now).filter(([key]) => key !== String(index))));
      else
        rows.sum(index).then(
          (sum) => {
            if (current.current === rows) setSums((now) => ({ ...now, [index]: sum }));
          },
          () => {
            if (current.current === rows) onFailure();
          },
        );
    },
  };
}
