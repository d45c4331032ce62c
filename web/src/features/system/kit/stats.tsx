// A strip of figures above a list.
import type { CSSProperties, ReactNode } from 'react';
import { Skeleton } from '@/ui/parts';
import css from './kit.module.css';

export interface Stat {
  label: string;
  /** Undefined until it is known. */
  value: ReactNode | undefined;
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
            {stat.value === undefined ? <Skeleton height="1.2em" width="60%" /> : <strong>{stat.value}</strong>}
            {stat.note !== undefined && <small>{stat.note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
