/** The builder's fields as they are drawn, one for each that a type lists. */
import { Input, InputNumber } from 'antd';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChoiceLabel, Field } from './fields';
import { Choice, ColumnChoice, ColumnsChoice, FormatChoice, FormGrid, Labelled, Toggle } from './form';
import { ReferenceLines, SeriesLooks } from './form-lists';
import { Levels } from './levels';
import type { ReferenceLine, SeriesLook } from './looks';
import type { NumberDress } from './numbers';
import type { EditorProps } from './types';
import css from './viz.module.css';

export function FieldList<O extends object, M>({ fields, ...props }: EditorProps<O, M> & { fields: readonly Field<O, M>[] }) {
  return <FormGrid>{fields.map((field, index) => (field.when && !field.when(props.options, props.model) ? null : <One key={index} field={field} {...props} />))}</FormGrid>;
}

function One<O extends object, M>({ field, table, options, model, onChange }: EditorProps<O, M> & { field: Field<O, M> }): ReactNode {
  const { t } = useTranslation();
  // Each field knows the kind of its option by its type; the record itself does not.
  const values = options as Readonly<Record<string, unknown>>;
  const set = (key: string, value: unknown) => onChange({ [key]: value } as Partial<O>);
  if (field.kind === 'section') return <h3 className={css.section}>{t(`viz.section.${field.label}`)}</h3>;
  if (field.kind === 'dress') return <Dress dress={values as unknown as NumberDress} onChange={(change) => onChange(change as Partial<O>)} />;
  if (field.kind === 'lines') return <ReferenceLines lines={values['referenceLines'] as ReferenceLine[]} onChange={(lines) => set('referenceLines', lines)} />;
  if (field.kind === 'series') return <SeriesLooks names={model === undefined ? [] : field.names(model)} looks={values['series'] as SeriesLook[]} right={field.right?.(options) ?? false} onChange={(looks) => set('series', looks)} />;
  const { key } = field;
  const label = t(`viz.field.${field.label}`);
  const value = values[key];
  switch (field.kind) {
    case 'column':
      return <ColumnChoice label={label} table={table} value={value as string} numeric={field.numeric ?? false} {...(field.optional ? { empty: t(`viz.choice.${field.optional}`) } : {})} onChange={(column) => set(key, column)} />;
    case 'columns':
      return <ColumnsChoice label={label} table={table} value={value as string[]} numeric={field.numeric ?? false} onChange={(columns) => set(key, columns)} />;
    case 'levels':
      return <Levels label={label} table={table} value={value as string[]} onChange={(columns) => set(key, columns)} />;
    case 'choice':
      return <Choice label={label} value={value as string} choices={Object.entries<ChoiceLabel>(field.values).map(([one, text]) => ({ value: one, label: t(`viz.choice.${text}`) }))} onChange={(one) => set(key, one)} />;
    case 'toggle':
      return <Toggle label={label} value={value as boolean} onChange={(on) => set(key, on)} />;
    case 'number':
      return <NumberField label={label} value={value as number} min={field.min} max={field.max} onChange={(one) => set(key, one)} />;
    case 'top':
      return <Top label={label} value={value as number} values={field.values} leftOut={field.rest === 'leftOut'} onChange={(one) => set(key, one)} />;
    case 'text':
      return <TextField label={label} value={value as string} onChange={(one) => set(key, one)} />;
  }
}

function Top({ label, value, values, leftOut, onChange }: { label: string; value: number; values: readonly number[]; leftOut: boolean; onChange: (value: number) => void }) {
  const { t } = useTranslation();
  const named = (count: number) => (count < 0 ? t('viz.choice.automatic') : count === 0 ? t('viz.choice.all') : t(leftOut ? 'viz.topAlone' : 'viz.top', { count }));
  // A chart may have been given another limit than those on offer.
  const offered = values.includes(value) ? values : [...values, value];
  return <Choice label={label} value={String(value)} choices={offered.map((count) => ({ value: String(count), label: named(count) }))} onChange={(one) => onChange(Number(one))} />;
}

export function NumberField({ label, value, min, max, onChange }: { label: string; value: number; min: number; max: number; onChange: (value: number) => void }) {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <InputNumber id={id} className={css.select} min={min} max={max} precision={0} value={value} onChange={(next) => next !== null && onChange(next)} />
    </Labelled>
  );
}

export function TextField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <Input id={id} value={value} maxLength={80} onChange={(event) => onChange(event.target.value)} />
    </Labelled>
  );
}

const DECIMALS = ['-1', '0', '1', '2', '4', '6'];

/** Format, places and unit of a chart's numbers. */
export function Dress({ dress, onChange }: { dress: NumberDress; onChange: (change: Partial<NumberDress>) => void }) {
  const { t } = useTranslation();
  const free = !['eth', 'gwei', 'wei', 'percent'].includes(dress.format);
  return (
    <>
      <FormatChoice value={dress.format} onChange={(format) => onChange({ format })} />
      <Choice label={t('viz.field.decimals')} value={String(dress.decimals)} choices={DECIMALS.map((value) => ({ value, label: value === '-1' ? t('viz.choice.automatic') : value }))} onChange={(decimals) => onChange({ decimals: Number(decimals) })} />
      {free ? <TextField label={t('viz.field.unit')} value={dress.unit} onChange={(unit) => onChange({ unit })} /> : null}
    </>
  );
}
