// The input for one filter's value, by its type.
import { Input, Select } from 'antd';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryOptions } from '@/api/query-options';
import type { Parameter } from '../api';
import { isRange, isWrong, type Value } from '../model/values';
import css from './parameters.module.css';

interface InputProps {
  parameter: Parameter;
  value: Value;
  disabled?: boolean;
  onChange: (value: Value) => void;
}

export function ParameterField(props: InputProps) {
  const id = useId();
  return (
    <div className={css.field}>
      <label htmlFor={id}>{props.parameter.title || props.parameter.name}</label>
      <ParameterInput {...props} id={id} />
    </div>
  );
}

export function ParameterInput({ parameter, value, disabled = false, onChange, id }: InputProps & { id: string }): ReactNode {
  const text = typeof value === 'string' ? value : '';
  switch (parameter.type) {
    case 'text':
      return <Input id={id} className={css.text} value={text} disabled={disabled} maxLength={1000} allowClear onChange={(event) => onChange(event.target.value || null)} />;
    case 'number': {
      const wrong = isWrong(parameter, value);
      // A text, not a number of the browser's: 256-bit values keep every digit.
      return <Input id={id} className={css.number} value={text} disabled={disabled} inputMode="decimal" status={wrong ? 'error' : ''} aria-invalid={wrong} maxLength={100} onChange={(event) => onChange(event.target.value.trim() || null)} />;
    }
    case 'date':
      return <Input id={id} className={css.date} type="date" value={text} disabled={disabled} onChange={(event) => onChange(event.target.value || null)} />;
    case 'dateRange':
      return <RangeInput id={id} name={parameter.title || parameter.name} value={value} disabled={disabled} onChange={onChange} />;
    case 'list':
      return <Choice id={id} parameter={parameter} value={value} disabled={disabled} options={parameter.options ?? []} onChange={onChange} />;
    case 'queryList':
      return <QueryChoice id={id} parameter={parameter} value={value} disabled={disabled} onChange={onChange} />;
  }
}

/** Two days; one alone is no range, so it stays a draft here until the other is there. */
function RangeInput({ id, name, value, disabled, onChange }: { id: string; name: string; value: Value; disabled: boolean; onChange: (value: Value) => void }) {
  const { t } = useTranslation();
  const [half, setHalf] = useState({ start: '', end: '' });
  const shown = isRange(value) ? value : half;
  const change = (next: { start: string; end: string }) => {
    const whole = next.start !== '' && next.end !== '';
    // A whole one is the value: kept here too, it would stay on show when the value is taken back.
    setHalf(whole ? { start: '', end: '' } : next);
    onChange(whole ? next : null);
  };
  return (
    <span className={css.range}>
      <Input id={id} className={css.date} type="date" value={shown.start} max={shown.end} disabled={disabled} onChange={(event) => change({ ...shown, start: event.target.value })} />
      <span aria-hidden>–</span>
      <Input className={css.date} type="date" aria-label={t('dashboards.rangeEnd', { name })} value={shown.end} min={shown.start} disabled={disabled} onChange={(event) => change({ ...shown, end: event.target.value })} />
    </span>
  );
}

interface ChoiceProps extends InputProps {
  id: string;
  options: readonly string[];
  loading?: boolean;
}

function Choice({ id, parameter, value, disabled, options, loading = false, onChange }: ChoiceProps) {
  const all = options.map((option) => ({ value: option, label: option }));
  const shared = { id, className: css.choice ?? '', options: all, disabled: disabled ?? false, loading, allowClear: true, showSearch: true, popupMatchSelectWidth: false } as const;
  if (parameter.multiple) {
    const chosen = typeof value === 'object' && value !== null && !isRange(value) ? [...value] : [];
    return <Select mode="multiple" maxTagCount="responsive" {...shared} value={chosen} onChange={(next: string[]) => onChange(next.length === 0 ? null : next)} />;
  }
  return <Select {...shared} value={typeof value === 'string' ? value : null} onChange={(next: string | null) => onChange(next ?? null)} />;
}

function QueryChoice(props: InputProps & { id: string }) {
  return <Choice {...props} {...useQueryOptions(props.parameter.queryId ?? null)} />;
}
