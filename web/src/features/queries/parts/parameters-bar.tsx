/** The values of the query's parameters: a field each, by its type, and what the parameter is for who may change it. */
import { Input, Popover, Select } from 'antd';
import { SlidersHorizontal } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Parameter } from '@/api/queries';
import { useQueryOptions } from '@/api/query-options';
import { IconButton } from '@/ui/button';
import { problemOf, valueOf, type DateRange, type Value, type Values } from '../model/parameters';
import { ParameterSettings } from './parameter-settings';
import css from './parameters-bar.module.css';

interface ParametersBarProps {
  parameters: readonly Parameter[];
  values: Values;
  /** May say what the parameters are. */
  editable: boolean;
  /** Problems are told once a run was tried. */
  tried: boolean;
  onValue: (name: string, value: Value) => void;
  onParameter: (parameter: Parameter) => void;
  onRun: () => void;
}

export function ParametersBar({ parameters, values, editable, tried, onValue, onParameter, onRun }: ParametersBarProps) {
  const { t } = useTranslation();
  const id = useId();
  if (parameters.length === 0) return null;
  return (
    <div className={css.bar} role="group" aria-label={t('editors.parameters.label')}>
      {parameters.map((parameter) => {
        const value = valueOf(parameter, values);
        const problem = tried ? problemOf(parameter, value) : null;
        const field = `${id}-${parameter.name}`;
        return (
          <div key={parameter.name} className={css.field} data-type={parameter.type}>
            <div className={css.head}>
              <label htmlFor={field}>
                {parameter.title || parameter.name}
                {parameter.required ? <span aria-hidden> *</span> : null}
              </label>
              {editable ? (
                <Popover trigger="click" placement="bottomLeft" arrow={false} destroyOnHidden title={`{{${parameter.name}}}`} content={<ParameterSettings parameter={parameter} onChange={onParameter} />}>
                  <IconButton size="small" label={t('editors.parameters.settings', { name: parameter.name })} icon={<SlidersHorizontal size={13} strokeWidth={1.7} />} />
                </Popover>
              ) : null}
            </div>
            <ValueField id={field} parameter={parameter} value={value} problem={problem !== null} onChange={(next) => onValue(parameter.name, next)} onRun={onRun} />
            {problem ? (
              <p id={`${field}-below`} className={css.problem}>
                {t(`editors.parameters.problem.${problem}`)}
              </p>
            ) : null}
          </div>
        );
      })}
    </div>
  );
}

interface ValueFieldProps {
  id: string;
  parameter: Parameter;
  value: Value;
  problem: boolean;
  onChange: (value: Value) => void;
  onRun: () => void;
}

export function ValueField({ id, parameter, value, problem, onChange, onRun }: ValueFieldProps) {
  const { t } = useTranslation();
  const status = problem ? ('error' as const) : ('' as const);
  const told = { status, 'aria-invalid': problem, 'aria-describedby': problem ? `${id}-below` : undefined };
  if (parameter.type === 'list' || parameter.type === 'queryList') return <ListField id={id} parameter={parameter} value={value} problem={problem} onChange={onChange} onRun={onRun} />;
  if (parameter.type === 'dateRange') {
    const range = typeof value === 'object' && value !== null && 'start' in value ? value : { start: '', end: '' };
    const change = (part: Partial<DateRange>) => {
      const next = { ...range, ...part };
      onChange(next.start === '' && next.end === '' ? null : next);
    };
    return (
      <span className={css.range}>
        <Input id={id} type="date" value={range.start} {...told} onChange={(event) => change({ start: event.target.value })} onPressEnter={onRun} />
        <span aria-hidden>–</span>
        <Input type="date" value={range.end} aria-label={t('editors.parameters.end', { name: parameter.title || parameter.name })} {...told} onChange={(event) => change({ end: event.target.value })} onPressEnter={onRun} />
      </span>
    );
  }
  const text = typeof value === 'string' ? value : '';
  return <Input id={id} type={parameter.type === 'date' ? 'date' : 'text'} inputMode={parameter.type === 'number' ? 'decimal' : undefined} allowClear={parameter.type !== 'date'} value={text} {...told} onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)} onPressEnter={onRun} />;
}

function ListField({ id, parameter, value, problem, onChange }: ValueFieldProps) {
  const fromQuery = useQueryOptions(parameter.type === 'queryList' ? (parameter.queryId ?? null) : null);
  const { options, loading } = parameter.type === 'queryList' ? fromQuery : { options: parameter.options ?? [], loading: false };
  const choices = options.map((option) => ({ value: option, label: option }));
  const shared = { id, className: css.select, 'aria-label': parameter.title || parameter.name, options: choices, loading, showSearch: true, allowClear: true, popupMatchSelectWidth: false, ...(problem ? { status: 'error' as const } : {}) };
  return parameter.multiple ? (
    <Select<string[]> {...shared} mode="multiple" maxTagCount="responsive" value={Array.isArray(value) ? [...(value as readonly string[])] : []} onChange={(next) => onChange(next.length === 0 ? null : next)} />
  ) : (
    <Select<string | null> {...shared} value={typeof value === 'string' ? value : null} onChange={(next) => onChange(next ?? null)} />
  );
}
