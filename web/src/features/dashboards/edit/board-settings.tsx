// The settings of the dashboard itself: notes, how often it is read again, and its filters.
import { Input, Select } from 'antd';
import { Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '@/ui/button';
import { QuerySelect } from '@/ui/query-select';
import type { Parameter } from '../api';
import type { Document } from '../model/document';
import { defaultValue } from '../model/values';
import { ParameterInput } from '../view/parameter-input';
import { Toggle } from './inspector';
import css from './panels.module.css';

const types = ['text', 'number', 'date', 'dateRange', 'list', 'queryList'] as const;
const intervals = [0, 1, 5, 15, 30, 60, 1440] as const;
const MOST_FILTERS = 20;

interface BoardSettingsProps {
  document: Document;
  onChange: (change: Partial<Document>, about: string) => void;
  onDelete: () => void;
}

export function BoardSettings({ document, onChange, onDelete }: BoardSettingsProps) {
  const { t } = useTranslation();
  const id = useId();
  const { notes, parameters, refreshMinutes } = document;
  const setParameter = (at: number, change: Partial<Parameter>) => onChange({ parameters: parameters.map((one, index) => (index === at ? { ...one, ...change } : one)) }, `filter ${at}`);
  return (
    <section className={css.inspector} aria-label={t('dashboards.edit.boardSettings')}>
      <h2>{t('dashboards.edit.boardSettings')}</h2>
      <div className={css.group}>
        <label htmlFor={`${id}notes`}>{t('dashboards.edit.notes')}</label>
        <Input.TextArea id={`${id}notes`} rows={4} maxLength={10_000} value={notes} onChange={(event) => onChange({ notes: event.target.value }, 'notes')} />
      </div>
      <div className={css.group}>
        <label htmlFor={`${id}every`}>{t('dashboards.edit.autoRefresh')}</label>
        <Select id={`${id}every`} value={refreshMinutes ?? 0} options={intervals.map((value) => ({ value, label: value === 0 ? t('dashboards.noAuto') : t('dashboards.autoEvery', { count: value }) }))} onChange={(value: number) => onChange({ refreshMinutes: value === 0 ? null : value }, 'refresh')} />
      </div>
      <div className={css.group}>
        <span className={css.label}>{t('dashboards.filters')}</span>
        <p className={css.hint}>{t('dashboards.edit.filtersHint')}</p>
        {parameters.map((parameter, at) => (
          <Filter key={at} parameter={parameter} taken={parameters.some((other, index) => index !== at && other.name === parameter.name)} onChange={(change) => setParameter(at, change)} onRemove={() => onChange({ parameters: parameters.filter((_, index) => index !== at) }, 'filter removed')} />
        ))}
        {parameters.length < MOST_FILTERS ? (
          <Button size="small" icon={<Plus size={15} strokeWidth={1.6} />} onClick={() => onChange({ parameters: [...parameters, newFilter(parameters)] }, 'filter added')}>
            {t('dashboards.edit.addFilter')}
          </Button>
        ) : null}
      </div>
      <div className={css.end}>
        <Button kind="danger" icon={<Trash2 size={16} strokeWidth={1.6} />} onClick={onDelete}>
          {t('dashboards.edit.delete')}
        </Button>
      </div>
    </section>
  );
}

/** A text filter with a name that is not taken. */
export function newFilter(parameters: readonly Parameter[]): Parameter {
  let number = parameters.length + 1;
  while (parameters.some(({ name }) => name === `filter_${number}`)) number += 1;
  return { name: `filter_${number}`, type: 'text' };
}

interface FilterProps {
  parameter: Parameter;
  /** Another filter has the same name. */
  taken: boolean;
  onChange: (change: Partial<Parameter>) => void;
  onRemove: () => void;
}

function Filter({ parameter, taken, onChange, onRemove }: FilterProps) {
  const { t } = useTranslation();
  const id = useId();
  const wrong = taken || !/^[\p{L}\p{N}_]{1,40}$/u.test(parameter.name);
  const lists = parameter.type === 'list' || parameter.type === 'queryList';
  return (
    <div className={css.filter}>
      <div className={css.row}>
        <Input size="small" aria-label={t('dashboards.edit.filterName')} value={parameter.name} status={wrong ? 'error' : ''} aria-invalid={wrong} aria-describedby={wrong ? `${id}wrong` : undefined} maxLength={40} onChange={(event) => onChange({ name: event.target.value })} />
        <IconButton size="small" label={t('dashboards.edit.removeFilter', { name: parameter.name })} icon={<Trash2 size={15} strokeWidth={1.6} />} onClick={onRemove} />
      </div>
      {wrong ? (
        <p id={`${id}wrong`} className={css.wrong}>
          {t(taken ? 'dashboards.edit.filterTaken' : 'dashboards.edit.filterNameRule')}
        </p>
      ) : null}
      <Input size="small" aria-label={t('dashboards.edit.filterTitle')} placeholder={t('dashboards.edit.filterTitle')} value={parameter.title ?? ''} maxLength={120} onChange={(event) => onChange({ title: event.target.value })} />
      <Select size="small" aria-label={t('dashboards.edit.filterType')} value={parameter.type} options={types.map((type) => ({ value: type, label: t(`dashboards.types.${type}`) }))} onChange={(type) => onChange({ type, default: null })} />
      {parameter.type === 'list' ? (
        <Select size="small" mode="tags" aria-label={t('dashboards.edit.filterOptions')} placeholder={t('dashboards.edit.filterOptions')} value={parameter.options ?? []} onChange={(options: string[]) => onChange({ options })} />
      ) : null}
      {parameter.type === 'queryList' ? <QuerySelect id={`${id}query`} size="small" label={t('dashboards.edit.filterQuery')} value={parameter.queryId ?? null} onChange={(queryId) => onChange({ queryId, default: null })} /> : null}
      {lists ? <Toggle label={t('dashboards.edit.filterSeveral')} on={parameter.multiple ?? false} onChange={(multiple) => onChange({ multiple, default: null })} /> : null}
      <div className={css.default}>
        <label htmlFor={`${id}default`}>{t('dashboards.edit.filterDefault')}</label>
        <ParameterInput id={`${id}default`} parameter={parameter} value={defaultValue(parameter)} onChange={(value) => onChange({ default: value })} />
      </div>
      <Toggle label={t('dashboards.edit.filterRequired')} on={parameter.required ?? false} onChange={(required) => onChange({ required })} />
    </div>
  );
}
