/** Fields of the chart builder: labelled choices of columns, formats and switches. */
import { Select, Switch } from 'antd';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isNumeric, NUMBER_FORMATS, type NumberFormat } from '@/lib/columns';
import type { ResultTable } from './types';
import css from './viz.module.css';

export function FormGrid({ children }: { children: ReactNode }) {
  return <div className={css.form}>{children}</div>;
}

/** A field under its label. */
export function Labelled({ id, label, wide = false, children }: { id: string; label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? css.wide : undefined}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      {children}
    </div>
  );
}

interface ChoiceProps<V extends string> {
  label: string;
  value: V;
  choices: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
  wide?: boolean;
}

export function Choice<V extends string>({ label, value, choices, onChange, wide = false }: ChoiceProps<V>) {
  const id = useId();
  return (
    <Labelled id={id} label={label} wide={wide}>
      <Select<V> id={id} className={css.select} aria-label={label} value={value} options={[...choices]} onChange={onChange} showSearch={choices.length > 8} popupMatchSelectWidth={false} />
    </Labelled>
  );
}

interface ColumnChoiceProps {
  label: string;
  table: ResultTable;
  value: string;
  /** Text of the choice that names no column; none is offered without it. */
  empty?: string;
  numeric?: boolean;
  wide?: boolean;
  onChange: (column: string) => void;
}

export function columnChoices(table: ResultTable, numeric: boolean) {
  const names = table.columns.filter((column) => !numeric || isNumeric(column.type)).map((column) => column.name);
  return [...new Set(names)].map((name) => ({ value: name, label: name }));
}

export function ColumnChoice({ label, table, value, empty, numeric = false, wide, onChange }: ColumnChoiceProps) {
  const choices = [...(empty === undefined ? [] : [{ value: '', label: empty }]), ...columnChoices(table, numeric)];
  return <Choice label={label} value={value} choices={choices} onChange={onChange} wide={wide ?? false} />;
}

export function ColumnsChoice({ label, table, value, numeric = true, onChange }: { label: string; table: ResultTable; value: readonly string[]; numeric?: boolean; onChange: (columns: string[]) => void }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Labelled id={id} label={label} wide>
      <Select<string[]> id={id} mode="multiple" className={css.select} aria-label={label} value={[...value]} placeholder={t('viz.addColumn')} options={columnChoices(table, numeric)} onChange={onChange} />
    </Labelled>
  );
}

export function FormatChoice({ value, onChange }: { value: NumberFormat; onChange: (format: NumberFormat) => void }) {
  const { t } = useTranslation();
  return <Choice label={t('viz.field.format')} value={value} choices={NUMBER_FORMATS.map((format) => ({ value: format, label: t(`queries.grid.formats.${format}`) }))} onChange={onChange} />;
}

export function Toggle({ label, value, onChange }: { label: string; value: boolean; onChange: (value: boolean) => void }) {
  const id = useId();
  return (
    <div className={css.toggle}>
      <label htmlFor={id}>{label}</label>
      <Switch id={id} checked={value} onChange={onChange} size="small" aria-label={label} />
    </div>
  );
}
