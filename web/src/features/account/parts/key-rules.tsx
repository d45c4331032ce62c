// What a key of the developer API is restricted to: pages, addresses and metrics. Nothing given restricts nothing.
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { useLanguage } from '@/i18n';
import css from '../account.module.css';

export type Rules = Required<Schemas['Restrictions']>;
export const freeRules: Rules = { referrers: [], addresses: [], metrics: [] };

export const rulesOf = ({ referrers, addresses, metrics }: Schemas['Restrictions']): Rules => ({ referrers, addresses, metrics });

interface KeyRulesProps {
  rules: Rules;
  /** What the server found wrong with one of them. */
  refused: { param: string; message: string } | null;
  onChange: (rules: Rules) => void;
}

export function KeyRules({ rules, refused, onChange }: KeyRulesProps) {
  const { t } = useTranslation();
  const field = (name: keyof Rules, choose: (id: string) => ReactNode) => <Rule name={name} error={refused?.param === name ? refused.message : null} choose={choose} />;
  const typed = (name: 'referrers' | 'addresses', example: string) => (id: string) => (
    <Select<string[]>
      id={id}
      mode="tags"
      open={false}
      suffix={null}
      value={rules[name]}
      placeholder={example}
      tokenSeparators={[',', ' ', '\n']}
      aria-describedby={`${id}-below`}
      {...(refused?.param === name ? { status: 'error' as const } : {})}
      onChange={(value) => onChange({ ...rules, [name]: value })}
    />
  );
  return (
    <fieldset className={css.rules}>
      <legend>{t('account.keys.rules')}</legend>
      {field('referrers', typed('referrers', 'example.org, *.example.org'))}
      {field('addresses', typed('addresses', '192.0.2.7, 2001:db8::/32'))}
      {field('metrics', (id) => (
        <MetricChoice id={id} value={rules.metrics} onChange={(metrics) => onChange({ ...rules, metrics })} />
      ))}
    </fieldset>
  );
}

function Rule({ name, error, choose }: { name: keyof Rules; error: string | null; choose: (id: string) => ReactNode }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={css.rule}>
      <label htmlFor={id}>{t(`account.keys.rule.${name}`)}</label>
      {choose(id)}
      <p id={`${id}-below`} data-bad={error !== null}>
        {error ?? t(`account.keys.ruleHint.${name}`)}
      </p>
    </div>
  );
}

/** Whole categories or single metrics. */
function MetricChoice({ id, value, onChange }: { id: string; value: string[]; onChange: (value: string[]) => void }) {
  const language = useLanguage();
  const { t } = useTranslation();
  const { data } = useQuery({ queryKey: ['metrics'], queryFn: ({ signal }) => call('get', '/api/v1/metrics/metadata', { signal, quiet: true }), staleTime: Infinity });
  const categories = [...new Set(data?.metrics.map(({ category }) => category))];
  const options = categories.flatMap((category) => [
    { value: category, label: t('account.keys.wholeCategory', { category }) },
    ...(data?.metrics.filter((one) => one.category === category) ?? []).map(({ metric, title }) => ({ value: `${category}/${metric}`, label: `${category}: ${title[language]}` })),
  ]);
  return (
    <Select<string[]>
      id={id}
      mode="multiple"
      value={value}
      loading={!data}
      options={options}
      placeholder={t('account.keys.allMetrics')}
      showSearch={{ optionFilterProp: 'label' }}
      listHeight={160}
      aria-describedby={`${id}-below`}
      onChange={onChange}
    />
  );
}
