// A strip of figures above a list.
import type { CSSProperties, ReactNode } from 'react';
import { Skeleton } from '@/ui/parts';
import css from './kit.module.css';

export interface Stat {
  label: string;
  /** Undefined until it is known. */
  value: ReactNode | undefined;
  /** Before the value is known it only keeps its room. */
  note?: ReactNode;
  /** Something that needs a look. */
  warn?: boolean;
}

export function Stats({ label, stats }: { label: string; stats: readonly Stat[] }) {
  return (
    <dl className={css.stats} aria-label={label} style={{ '--count': stats.length, '--half': Math.ceil(stats.length / 2) } as CSSProperties}>
      {stats.map((stat) => (
        <div key={stat.label} data-warn={stat.warn}>
          <dt>{stat.label}</dt>
          <dd>
            <strong>{stat.value ?? <Skeleton height="1.3em" width="60%" />}</strong>
            {stat.note !== undefined && <small data-waiting={stat.value === undefined}>{stat.note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
