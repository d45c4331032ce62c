/** What a parameter is: its title, type, options, and the value it has as long as nobody gave one. */
import { Input, Select, Switch } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Parameter, ParameterType } from '@/api/queries';
import { QuerySelect } from '@/ui/query-select';
import { PARAMETER_TYPES, readValue } from '../model/parameters';
import { ValueField } from './parameters-bar';
import css from './parameters-bar.module.css';

export function ParameterSettings({ parameter, onChange }: { parameter: Parameter; onChange: (parameter: Parameter) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const { type } = parameter;
  const change = (next: Partial<Parameter>) => onChange({ ...parameter, ...next });
  const lists = type === 'list' || type === 'queryList';
  // A range is one because the text names its ends.
  const types = type === 'dateRange' ? PARAMETER_TYPES : PARAMETER_TYPES.filter((one) => one !== 'dateRange');
  return (
    <div className={css.settings}>
      <div>
        <label htmlFor={`${id}-title`}>{t('editors.parameters.title')}</label>
        <Input id={`${id}-title`} value={parameter.title ?? ''} placeholder={parameter.name} maxLength={120} onChange={(event) => change({ title: event.target.value })} />
      </div>
      <div>
        <label htmlFor={`${id}-type`}>{t('editors.parameters.type')}</label>
        <Select<ParameterType> id={`${id}-type`} className={css.select} aria-label={t('editors.parameters.type')} value={type} disabled={type === 'dateRange'} options={types.map((value) => ({ value, label: t(`editors.parameters.types.${value}`) }))} onChange={(next) => change({ type: next, default: null })} />
        {type === 'dateRange' ? <p className={css.hint}>{t('editors.parameters.rangeHint')}</p> : null}
      </div>
      {type === 'list' ? (
        <div>
          <label htmlFor={`${id}-options`}>{t('editors.parameters.options')}</label>
          <Input.TextArea id={`${id}-options`} autoSize={{ minRows: 2, maxRows: 8 }} value={(parameter.options ?? []).join('\n')} onChange={(event) => change({ options: event.target.value === '' ? [] : event.target.value.split('\n') })} />
        </div>
      ) : null}
      {type === 'queryList' ? (
        <div>
          <label htmlFor={`${id}-query`}>{t('editors.parameters.query')}</label>
          <QuerySelect id={`${id}-query`} className={css.select} label={t('editors.parameters.query')} value={parameter.queryId ?? null} onChange={(queryId) => change({ queryId })} />
          <p className={css.hint}>{t('editors.parameters.queryHint')}</p>
        </div>
      ) : null}
      {lists ? (
        <div className={css.row}>
          <label htmlFor={`${id}-several`}>{t('editors.parameters.several')}</label>
          <Switch id={`${id}-several`} size="small" aria-label={t('editors.parameters.several')} checked={parameter.multiple ?? false} onChange={(multiple) => change({ multiple, default: null })} />
        </div>
      ) : null}
      <div>
        <label htmlFor={`${id}-default`}>{t('editors.parameters.default')}</label>
        <ValueField id={`${id}-default`} parameter={parameter} value={readValue(parameter, parameter.default)} problem={false} onChange={(value) => change({ default: value })} onRun={() => undefined} />
      </div>
      <div className={css.row}>
        <label htmlFor={`${id}-required`}>{t('editors.parameters.required')}</label>
        <Switch id={`${id}-required`} size="small" aria-label={t('editors.parameters.required')} checked={parameter.required ?? false} onChange={(required) => change({ required })} />
      </div>
      {parameter.required ? null : <p className={css.hint}>{t('editors.parameters.optionalHint')}</p>}
    </div>
  );
}
