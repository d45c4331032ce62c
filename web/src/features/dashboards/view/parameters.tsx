// The bar of filters above a board. Values are drafts until they are applied; the address holds what is applied.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { FilterFold } from '@/ui/filter-fold';
import type { Parameter } from '../api';
import { defaultValue, isWrong, same, type Value, type Values } from '../model/values';
import { ParameterField } from './parameter-input';
import css from './parameters.module.css';

export interface FilterDraft {
  readonly draft: Values;
  readonly set: (name: string, value: Value) => void;
}

/** What is typed and not applied yet; it starts anew whenever other values are applied. */
export function useFilterDraft(applied: Values): FilterDraft {
  const [state, setState] = useState({ of: applied, draft: applied });
  const other = JSON.stringify(state.of) !== JSON.stringify(applied);
  // Kept until the values of before are applied again, the draft would come back with them.
  if (other) setState({ of: applied, draft: applied });
  const draft = other ? applied : state.draft;
  return { draft, set: (name, value) => setState({ of: applied, draft: { ...draft, [name]: value } }) };
}

interface ParametersProps {
  parameters: readonly Parameter[];
  applied: Values;
  filters: FilterDraft;
  onApply: (values: Values) => void;
}

export function Parameters({ parameters, applied, filters, onApply }: ParametersProps) {
  const { t } = useTranslation();
  const { draft, set } = filters;
  if (parameters.length === 0) return null;
  const changed = parameters.some(({ name }) => !same(draft[name] ?? null, applied[name] ?? null));
  const missing = parameters.some((parameter) => parameter.required && (draft[parameter.name] ?? null) === null);
  const wrong = parameters.some((parameter) => isWrong(parameter, draft[parameter.name] ?? null));
  const reset = Object.fromEntries(parameters.map((parameter) => [parameter.name, defaultValue(parameter)]));
  const away = parameters.filter((parameter) => !same(applied[parameter.name] ?? null, defaultValue(parameter))).length;
  const form = (
    <form
      className={css.bar}
      aria-label={t('dashboards.filters')}
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && !missing && !wrong) onApply(draft);
      }}
    >
      {parameters.map((parameter) => (
        <ParameterField key={parameter.name} parameter={parameter} value={draft[parameter.name] ?? null} onChange={(value) => set(parameter.name, value)} />
      ))}
      <Button type="submit" kind="primary" disabled={!changed || missing || wrong}>
        {t('dashboards.apply')}
      </Button>
      {away > 0 ? (
        <Button kind="text" onClick={() => onApply(reset)}>
          {t('dashboards.reset')}
        </Button>
      ) : null}
    </form>
  );
  return parameters.length > 1 ? <FilterFold active={away}>{form}</FilterFold> : form;
}
