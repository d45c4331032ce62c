/** Field of a chart whose columns follow each other: levels from the top down, stages from the first to the last. */
import { Select } from 'antd';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '@/ui/button';
import { columnChoices } from './form';
import { repeated } from './read';
import type { ResultTable } from './types';
import css from './viz.module.css';

const icon = { size: 16, strokeWidth: 1.6 } as const;

interface LevelsProps {
  label: string;
  table: ResultTable;
  value: readonly string[];
  onChange: (columns: string[]) => void;
}

type Part = 'choice' | 'up' | 'down' | 'remove';

/** The parts of a level that can have the focus, the wanted one first: a button at the end of the list can't be pressed. */
const instead: Record<Part, readonly Part[]> = { choice: ['choice'], up: ['up', 'down'], down: ['down', 'up'], remove: ['remove'] };

export function Levels({ label, table, value, onChange }: LevelsProps) {
  const { t } = useTranslation();
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  /** Where the focus goes with the next list: along with the level that moved. */
  const next = useRef<{ at: number; part: Part } | null>(null);
  const twice = repeated(value);
  const unused = columnChoices(table, false).find((choice) => !value.includes(choice.value));

  useEffect(() => {
    if (next.current === null) return;
    const { at, part } = next.current;
    next.current = null;
    const level = group.current?.querySelectorAll('li')[at];
    const found = instead[part].map((one) => level?.querySelector<HTMLElement>(one === 'choice' ? 'input' : `[data-part="${one}"]:enabled`)).find((one) => one);
    (found ?? group.current?.querySelector<HTMLElement>('[data-part="add"]'))?.focus();
  }, [value]);

  const change = (columns: string[], at: number, part: Part) => {
    next.current = { at, part };
    onChange(columns);
  };
  const move = (at: number, to: number, part: Part) => change(value.toSpliced(at, 1).toSpliced(to, 0, ...value.slice(at, at + 1)), to, part);
  return (
    <div ref={group} className={css.wide} role="group" aria-labelledby={id}>
      <span id={id} className={css.label}>
        {label}
      </span>
      <ol className={css.columns}>
        {value.map((column, at) => (
          <li key={at} className={css.column}>
            <span className={css.place} aria-hidden>
              {at + 1}
            </span>
            <Select size="small" className={css.select} aria-label={t('viz.columnAt', { number: at + 1 })} {...(column === twice ? { status: 'error', 'aria-describedby': `${id}-twice` } : {})} value={column} options={columnChoices(table, false)} showSearch popupMatchSelectWidth={false} onChange={(other) => onChange(value.with(at, other))} />
            <IconButton size="small" data-part="up" label={t('viz.columnUp', { column })} icon={<ArrowUp {...icon} />} disabled={at === 0} onClick={() => move(at, at - 1, 'up')} />
            <IconButton size="small" data-part="down" label={t('viz.columnDown', { column })} icon={<ArrowDown {...icon} />} disabled={at === value.length - 1} onClick={() => move(at, at + 1, 'down')} />
            <IconButton size="small" data-part="remove" label={t('viz.removeColumn', { column })} icon={<Trash2 {...icon} />} onClick={() => change(value.toSpliced(at, 1), Math.min(at, value.length - 2), 'remove')} />
          </li>
        ))}
      </ol>
      {twice === undefined ? null : (
        <p id={`${id}-twice`} className={css.wrong} role="alert">
          {t('viz.problem.columnTwice', { column: twice })}
        </p>
      )}
      {unused ? (
        <Button size="small" kind="text" data-part="add" icon={<Plus {...icon} />} onClick={() => change([...value, unused.value], value.length, 'choice')}>
          {t('viz.addColumn')}
        </Button>
      ) : null}
    </div>
  );
}
