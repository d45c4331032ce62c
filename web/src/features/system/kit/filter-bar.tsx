// The fields above a list: texts count on Enter or Search, choices and days at once.
import { Segmented, Select } from 'antd';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { useNow } from '@/lib/now';
import { dayMs, dayStart } from '@/lib/time';
import { FilterFold } from '@/ui/filter-fold';
import { useKeepPlace } from '@/ui/keep-place';
import { useSearchText } from '@/ui/search-text';
import { keysOf, STRETCHES, stretchOf, type FilterSpec, type Stretch } from './filters';
import type { FiltersNow } from './use-filters';
import css from './filter-bar.module.css';

export function FilterBar({ specs, filters }: { specs: readonly FilterSpec[]; filters: FiltersNow }) {
  const { t } = useTranslation();
  const texts = specs.flatMap((spec) => (spec.kind === 'text' ? [spec.key] : []));
  const shown = texts.map((key) => filters.values[key] ?? '').join('\n');
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>(filters.values);
  const [seen, setSeen] = useState(shown);
  // Another address (the back button, a link) brings its own texts.
  if (seen !== shown) {
    setSeen(shown);
    setDraft(filters.values);
  }
  const submit = () => filters.change(Object.fromEntries(texts.map((key) => [key, draft[key] ?? ''])));
  const active = specs.filter((spec) => keysOf(spec).some((key) => filters.values[key] !== undefined)).length;
  const form = (
    <form
      role="search"
      className={css.bar}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {specs.map((spec) => {
        if (spec.kind === 'text') {
          return (
            <label key={spec.key} className={css.text}>
              <Search size={16} strokeWidth={1.6} aria-hidden />
              <input
                type="search"
                aria-label={spec.label}
                placeholder={spec.label}
                maxLength={200}
                value={draft[spec.key] ?? ''}
                onChange={(event) => setDraft({ ...draft, [spec.key]: event.target.value })}
              />
            </label>
          );
        }
        if (spec.kind === 'choice' && spec.all !== undefined) {
          return (
            <Segmented<string>
              key={spec.key}
              className={css.side ?? ''}
              aria-label={spec.label}
              value={filters.values[spec.key] ?? ''}
              onChange={(value) => filters.change({ [spec.key]: value })}
              options={[{ value: '', label: spec.all }, ...spec.options]}
            />
          );
        }
        if (spec.kind === 'choice') {
          return (
            <Select<string>
              key={spec.key}
              className={css.choice ?? ''}
              aria-label={spec.label}
              placeholder={spec.label}
              allowClear
              popupMatchSelectWidth={false}
              value={filters.values[spec.key] ?? null}
              onChange={(value: string | undefined) => filters.change({ [spec.key]: value ?? '' })}
              options={[...spec.options]}
            />
          );
        }
        return <Days key="days" label={spec.label} filters={filters} />;
      })}
      {texts.length > 0 && (
        <Button type="submit" kind="primary">
          {t('system.kit.search')}
        </Button>
      )}
      {Object.keys(filters.values).length > 0 && (
        <Reset
          onReset={() => {
            setDraft({});
            filters.reset();
          }}
        />
      )}
    </form>
  );
  // A button that hides one field takes as much room as the field.
  return specs.length > 1 ? <FilterFold active={active}>{form}</FilterFold> : form;
}

/** It goes with the filters: by keys one goes on among the fields. */
function Reset({ onReset }: { onReset: () => void }) {
  const { t } = useTranslation();
  const place = useKeepPlace<HTMLSpanElement>();
  return (
    <span ref={place}>
      <Button kind="text" onClick={onReset}>
        {t('system.kit.reset')}
      </Button>
    </span>
  );
}

/** Two days, both included, and stretches of days that people often ask for. */
function Days({ label, filters }: { label: string; filters: FiltersNow }) {
  const { t } = useTranslation();
  const { from, to } = filters.values;
  const now = useNow(dayMs);
  return (
    <div className={css.days} role="group" aria-label={label} title={label}>
      <small aria-hidden>{label}</small>
      <Day label={`${label}, ${t('system.kit.from')}`} value={from} max={to} onChange={(day) => filters.change({ from: day })} />
      <span aria-hidden>–</span>
      <Day label={`${label}, ${t('system.kit.to')}`} value={to} min={from} onChange={(day) => filters.change({ to: day })} />
      <Select<Stretch>
        size="small"
        variant="borderless"
        aria-label={`${label}, ${t('system.kit.stretch')}`}
        placeholder={t('system.kit.stretch')}
        popupMatchSelectWidth={false}
        value={STRETCHES.find((stretch) => sameDays(stretchOf(stretch, now), from, to)) ?? null}
        onChange={(stretch) => filters.change(stretchOf(stretch, now))}
        options={STRETCHES.map((value) => ({ value, label: t(`system.kit.stretches.${value}`) }))}
      />
    </div>
  );
}

const sameDays = (stretch: { from: string; to: string }, from: string | undefined, to: string | undefined): boolean => stretch.from === from && stretch.to === to;

interface DayProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string) => void;
}

/** Typed figure by figure: the field keeps what is not a day yet, which changes nothing. */
function Day({ label, value = '', min, max, onChange }: DayProps) {
  const { text, type } = useSearchText(value, (day) => {
    if (day === '' || dayStart(day) !== null) onChange(day);
  });
  return <input type="date" aria-label={label} value={text} min={min} max={max} onChange={({ target }) => type(target.value)} />;
}
