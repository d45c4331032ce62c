/** The form of a LABEL job: the catalogue of rules on the left, and the fields that the chosen rule takes. */
import { useQuery } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { BookOpen, CalendarDays, Database, FunctionSquare, LayoutGrid, Play, Search } from 'lucide-react';
import { useId, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { request } from '@/api/request';
import { useLanguage } from '@/i18n';
import { useSentences } from '@/i18n/sentences';
import { useNow } from '@/lib/now';
import { useWidth } from '@/lib/width';
import { Button } from '@/ui/button';
import { Drawer } from '@/ui/drawer';
import { Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import type { FormProps } from '../types';
import { RecentJobs } from './recent';
import { asSpec, problemsOf, specFor, type Both, type Catalogue, type Field, type LabelSpec, type Rule } from './spec';
import css from './form.module.css';

const ICONS: Record<string, ReactNode> = {
  basic: <Database size={16} strokeWidth={1.6} aria-hidden />,
  'monthly-report': <CalendarDays size={16} strokeWidth={1.6} aria-hidden />,
  'dapp-monthly-report': <LayoutGrid size={16} strokeWidth={1.6} aria-hidden />,
  algorithm: <FunctionSquare size={16} strokeWidth={1.6} aria-hidden />,
};

function useLabelCatalogue() {
  return useQuery({ queryKey: ['labels', 'catalogue'], queryFn: ({ signal }) => request<Catalogue>('GET', '/api/label/catalogue', { signal, quiet: true }), staleTime: Infinity });
}

/** Names of dapps, for the field that wants one. */
function useDapps(wanted: boolean) {
  return useQuery({ queryKey: ['dapps'], queryFn: ({ signal }) => request<{ items: { name: string }[] }>('GET', '/api/dapp/ranking', { signal, quiet: true }), enabled: wanted, retry: false });
}

export function Form({ spec: given, onChange, readOnly, tried, problem, running, onRun }: FormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const wide = useWidth() === 'wide';
  const now = useNow(3_600_000);
  const catalogue = useLabelCatalogue();
  const [open, setOpen] = useState(false);
  const say = (both: Both) => both[language];
  const spec = asSpec(given);
  const rules = useMemo(() => catalogue.data?.categories.flatMap((category) => category.rules) ?? [], [catalogue.data]);
  const rule = rules.find((one) => one.name === spec.label);

  if (catalogue.isError) return <Failed message={messageOf(catalogue.error)} onRetry={() => void catalogue.refetch()} />;
  if (!catalogue.data) return <Waiting />;

  const choose = (next: Rule) => {
    setOpen(false);
    if (!readOnly) onChange(specFor(next, spec, now));
  };
  const list = <RuleList catalogue={catalogue.data} chosen={rule?.name} say={say} onChoose={choose} />;
  return (
    <div className={css.layout}>
      {wide ? (
        <div className={css.side}>{list}</div>
      ) : (
        <Drawer placement="left" size={340} open={open} title={t('editors.label.catalogue')} onClose={() => setOpen(false)} styles={{ body: { padding: 0 } }}>
          {list}
        </Drawer>
      )}
      <div className={css.main}>
        {wide ? null : (
          <Button size="small" className={css.open} icon={<BookOpen size={16} strokeWidth={1.6} />} onClick={() => setOpen(true)}>
            {t('editors.label.catalogue')}
          </Button>
        )}
        {rule ? <RuleForm key={rule.name} rule={rule} spec={spec} say={say} onChange={onChange} readOnly={readOnly} tried={tried} problem={problem} running={running} onRun={onRun} /> : <Empty title={t('editors.label.chooseTitle')}>{t('editors.label.choose', { count: rules.length })}</Empty>}
      </div>
      {wide ? <RecentJobs /> : null}
    </div>
  );
}

/** The list and the form, before the rules are known. */
function Waiting() {
  const { t } = useTranslation();
  return (
    <div className={css.waiting} role="status" aria-label={t('common.loading')}>
      {[40, 62, 30, 48, 20].map((share) => (
        <Skeleton key={share} height="1.6em" width={`${share}%`} />
      ))}
    </div>
  );
}

function RuleList({ catalogue, chosen, say, onChoose }: { catalogue: Catalogue; chosen: string | undefined; say: (both: Both) => string; onChoose: (rule: Rule) => void }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const word = search.trim().toLowerCase();
  const fits = (rule: Rule) => [say(rule.title), rule.name, rule.id, ...rule.labels].some((text) => text.toLowerCase().includes(word));
  const all = catalogue.categories.reduce((sum, { rules }) => sum + rules.length, 0);
  const shown = catalogue.categories.map((category) => ({ ...category, rules: category.rules.filter(fits) })).filter(({ rules }) => rules.length > 0);
  return (
    <nav className={css.catalogue} aria-label={t('editors.label.catalogue')}>
      <div className={css.search}>
        <Search size={16} strokeWidth={1.6} aria-hidden />
        <input type="search" value={search} placeholder={t('editors.label.search', { count: all })} aria-label={t('editors.label.search', { count: all })} onChange={(event) => setSearch(event.target.value)} />
      </div>
      {shown.map((category) => (
        <section key={category.name}>
          <h2>
            {ICONS[category.name]}
            {say(category.title)}
            <small>{category.rules.length}</small>
          </h2>
          <ul>
            {category.rules.map((rule) => (
              <li key={rule.name}>
                <button type="button" aria-current={rule.name === chosen} title={say(rule.text)} onClick={() => onChoose(rule)}>
                  <span className="ellipsis">{say(rule.title)}</span>
                  <small>{rule.id}</small>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {shown.length === 0 ? <p className={css.none}>{t('editors.label.none')}</p> : null}
    </nav>
  );
}

function RuleForm({ rule, spec, say, onChange, readOnly, tried, problem, running, onRun }: FormProps & { rule: Rule; spec: LabelSpec; say: (both: Both) => string }) {
  const { t } = useTranslation();
  const id = useId();
  const sentence = useSentences();
  const dapps = useDapps(rule.inputs.some(({ field }) => field === 'dappName'));
  const problems = problemsOf(rule, spec);
  const told = (name: string): string | null => {
    if (problem?.param === name) return problem.message;
    const found = problems[name];
    // What is missing is told once a run was tried; what is wrong at once.
    return found && (tried || found !== 'required') ? t(`editors.label.problem.${found}`) : null;
  };
  const set = (field: Field, value: string) => onChange({ ...spec, [field]: value });
  const run = () => {
    if (Object.keys(problems).length === 0) onRun();
    else onRun({});
  };

  return (
    <div className={css.rule}>
      <header>
        <div>
          <h2>{say(rule.title)}</h2>
          <p>{say(rule.text)}</p>
        </div>
        <span className={css.tags}>
          {rule.labels.slice(0, 6).map((label) => (
            <Tag key={label} tone="accent">
              {label}
            </Tag>
          ))}
        </span>
      </header>
      <div className={css.card}>
        {rule.inputs.map(({ field, required }) => {
          const wrong = told(field);
          const below = { status: wrong ? ('error' as const) : ('' as const), 'aria-invalid': wrong !== null, 'aria-describedby': `${id}-${field}-below` };
          const value = spec[field] ?? '';
          return (
            <div key={field}>
              <label htmlFor={`${id}-${field}`}>
                {t(`editors.label.fields.${field}`)}
                {required ? null : <small>{t('editors.label.optional')}</small>}
              </label>
              {field === 'dappName' && dapps.data && dapps.data.items.length > 0 ? (
                <Select<string | null> id={`${id}-${field}`} className={css.wide} aria-label={t('editors.label.fields.dappName')} showSearch allowClear disabled={readOnly} value={value === '' ? null : value} options={dapps.data.items.map(({ name }) => ({ value: name, label: name }))} onChange={(next) => set(field, next ?? '')} />
              ) : (
                <Input id={`${id}-${field}`} className={field === 'dappName' ? undefined : css.code} type={field === 'startDate' || field === 'endDate' ? 'date' : field === 'month' ? 'month' : 'text'} value={value} readOnly={readOnly} placeholder={['eoa', 'contractAddress', 'erc721'].includes(field) ? '0x…' : undefined} {...below} onChange={(event) => set(field, event.target.value)} onPressEnter={run} />
              )}
              <p id={`${id}-${field}-below`} className={wrong ? css.problem : css.hint}>
                {wrong ?? (field === 'month' ? t('editors.label.monthHint') : field === 'eoa' ? t('editors.label.eoaHint') : '')}
              </p>
            </div>
          );
        })}
        {rule.parameters.map((parameter) => {
          const wrong = told(parameter.name);
          return (
            <div key={parameter.name}>
              <label htmlFor={`${id}-${parameter.name}`}>
                {say(parameter.text)}
                {parameter.kind === 'ether' ? <small>ETH</small> : null}
              </label>
              <Input id={`${id}-${parameter.name}`} className={css.code} inputMode="decimal" value={spec.parameters?.[parameter.name] ?? ''} placeholder={parameter.default} readOnly={readOnly} status={wrong ? 'error' : ''} aria-invalid={wrong !== null} aria-describedby={`${id}-${parameter.name}-below`} onChange={(event) => onChange({ ...spec, parameters: { ...spec.parameters, [parameter.name]: event.target.value } })} onPressEnter={run} />
              <p id={`${id}-${parameter.name}-below`} className={wrong ? css.problem : css.hint}>
                {wrong ?? t('editors.label.bounds', { default: parameter.default, min: parameter.min, max: parameter.max })}
              </p>
            </div>
          );
        })}
        {rule.inputs.length + rule.parameters.length === 0 ? <p className={css.hint}>{t('editors.label.noFields')}</p> : null}
        <footer>
          <span>{t('editors.label.leave')}</span>
          {readOnly ? null : (
            <Button kind="primary" busy={running} icon={<Play size={16} strokeWidth={1.6} />} onClick={run}>
              {t('editors.label.run')}
            </Button>
          )}
        </footer>
      </div>
      <p className={css.source}>
        {t('editors.label.value', { value: say(rule.value) })} {t('editors.label.source', { source: sentence(rule.source), version: rule.version })}
      </p>
    </div>
  );
}
