/** The form of a MAPREDUCE job: table, days, and the editors of its parts side by side, as tabs where there is little room. */
import { useQuery } from '@tanstack/react-query';
import { Dropdown, Input, Segmented, Switch } from 'antd';
import { CircleCheck, CircleX, FileCode2, FlaskConical } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChain } from '@/api/chain';
import type { TextPosition } from '@/api/jobs';
import { request } from '@/api/request';
import { useLanguage } from '@/i18n';
import { useSentences } from '@/i18n/sentences';
import { dayOf } from '@/lib/time';
import { useWidth } from '@/lib/width';
import { Button } from '@/ui/button';
import { lazyPart, Part as PagePart } from '@/ui/part';
import { Skeleton } from '@/ui/parts';
import { EMPTY_CATALOGUE } from '../catalogue';
import { inLanguage } from '../in-language';
import type { FormProps } from '../types';
import { useCatalogue } from '../use-catalogue';
import { mapReduceLanguage } from './language';
import { asSpec, PARTS, problemsOf, trialOf, type MapReduceSpec, type Part } from './spec';
import css from './form.module.css';

const Editor = lazyPart(() => import('@/ui/editor/editor').then(({ Editor: component }) => ({ default: component })));

interface Template {
  key: string;
  titleEn: string;
  titleZh: string;
  descriptionEn: string;
  descriptionZh: string;
  spec: MapReduceSpec;
}

function useTemplates() {
  return useQuery({ queryKey: ['templates', 'MAPREDUCE'], queryFn: ({ signal }) => request<{ items: Template[] }>('GET', '/api/engine/templates', { query: { kind: 'MAPREDUCE' }, signal, quiet: true }), staleTime: Infinity });
}

function useLanguageOfParts() {
  const { data } = useCatalogue();
  const say = useSentences();
  return useMemo(() => inLanguage(mapReduceLanguage(data ?? EMPTY_CATALOGUE), say), [data, say]);
}

/** The offset of a place in a text; both count from 1. */
function offsetOf(text: string, { line, column }: TextPosition): number {
  const lines = text.split('\n');
  const at = Math.min(Math.max(line, 1), lines.length);
  const before = lines.slice(0, at - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return Math.min(before + Math.max(column, 1) - 1, before + (lines[at - 1]?.length ?? 0));
}

export function Form({ spec: given, onChange, readOnly, tried, problem, running, onRun }: FormProps) {
  const { t } = useTranslation();
  const id = useId();
  const chinese = useLanguage() === 'zh';
  const wide = useWidth() === 'wide';
  const templates = useTemplates();
  const language = useLanguageOfParts();
  const chain = useChain();
  const spec = asSpec(given);
  const [part, setPart] = useState<Part>('driver');
  const [combined, setCombined] = useState((spec.combiner ?? '') !== '');
  /** Counts templates that were taken, so that the editors begin anew with them. */
  const [taken, setTaken] = useState(0);
  const problems = problemsOf(spec);
  const parts = PARTS.filter((one) => one !== 'combiner' || combined);
  const shown = wide ? parts : parts.filter((one) => one === part);
  const change = (next: Partial<MapReduceSpec>) => onChange({ ...spec, ...next });
  const asOf = chain.data?.dataAsOf ?? null;
  const lastDay = asOf === null ? null : dayOf(asOf);

  const take = (key: string) => {
    const template = templates.data?.items.find((one) => one.key === key);
    if (!template) return;
    setCombined((template.spec.combiner ?? '') !== '');
    onChange({ startDate: spec.startDate, endDate: spec.endDate, ...template.spec });
    setTaken((count) => count + 1);
  };

  const combine = (on: boolean) => {
    setCombined(on);
    if (on) return;
    change({ combiner: '' });
    if (part === 'combiner') setPart('mapper');
  };

  const told = (field: keyof MapReduceSpec): string | null => {
    if (problem?.param === field) return problem.message;
    const found = tried ? problems[field] : undefined;
    return found ? t(`editors.mapreduce.problem.${found}`) : null;
  };
  const tableProblem = told('tableName') ?? (spec.tableName && problems.tableName ? t('editors.mapreduce.problem.tableName') : null);
  const dateProblem = told('startDate') ?? told('endDate') ?? (problems.endDate ? t('editors.mapreduce.problem.dates') : null);

  return (
    <div className={css.form}>
      <div className={css.fields}>
        <div className={css.name}>
          <label htmlFor={`${id}-table`}>{t('editors.mapreduce.table')}</label>
          <Input id={`${id}-table`} className={css.code} value={spec.tableName ?? ''} maxLength={40} readOnly={readOnly} status={tableProblem ? 'error' : ''} aria-invalid={tableProblem !== null} aria-describedby={`${id}-table-below`} onChange={(event) => change({ tableName: event.target.value, ...(spec.result === 'rows' ? { result: 'table' } : {}) })} />
          <p id={`${id}-table-below`} className={tableProblem ? css.problem : css.hint}>
            {tableProblem ?? t('editors.mapreduce.tableHint', { length: (spec.tableName ?? '').length })}
          </p>
        </div>
        <div>
          <label htmlFor={`${id}-from`}>{t('editors.mapreduce.start')}</label>
          <Input id={`${id}-from`} type="date" value={(spec.startDate ?? '').slice(0, 10)} readOnly={readOnly} onChange={(event) => change({ startDate: event.target.value })} />
        </div>
        <div>
          <label htmlFor={`${id}-to`}>{t('editors.mapreduce.end')}</label>
          <Input id={`${id}-to`} type="date" value={(spec.endDate ?? '').slice(0, 10)} readOnly={readOnly} status={dateProblem ? 'error' : ''} aria-invalid={dateProblem !== null} aria-describedby={`${id}-to-below`} onChange={(event) => change({ endDate: event.target.value })} />
          <p id={`${id}-to-below`} className={dateProblem ? css.problem : css.hint}>
            {dateProblem ?? t('editors.mapreduce.datesHint')}
          </p>
        </div>
        {readOnly ? null : (
          <div className={css.tools}>
            <Dropdown trigger={['click']} menu={{ className: css.templates, items: (templates.data?.items ?? []).map((one) => ({ key: one.key, label: <TemplateLabel title={chinese ? one.titleZh : one.titleEn} text={chinese ? one.descriptionZh : one.descriptionEn} /> })), onClick: ({ key }) => take(key) }}>
              <Button size="small" icon={<FileCode2 size={16} strokeWidth={1.6} />}>
                {t('editors.mapreduce.templates')}
              </Button>
            </Dropdown>
            <Button size="small" disabled={running || lastDay === null} icon={<FlaskConical size={16} strokeWidth={1.6} />} title={lastDay === null ? undefined : t('editors.mapreduce.trialHint', { day: lastDay })} onClick={() => lastDay !== null && onRun(trialOf(spec, lastDay))}>
              {t('editors.mapreduce.trial')}
            </Button>
            <span className={css.switch}>
              <Switch id={`${id}-combiner`} size="small" aria-label={t('editors.mapreduce.combiner')} checked={combined} onChange={combine} />
              <label htmlFor={`${id}-combiner`}>{t('editors.mapreduce.combiner')}</label>
            </span>
          </div>
        )}
      </div>
      {wide ? null : <Segmented<Part> block className={css.tabs} value={part} onChange={setPart} options={parts.map((value) => ({ value, label: t(`editors.mapreduce.parts.${value}`) }))} />}
      <div className={css.parts} style={{ gridTemplateColumns: `repeat(${shown.length}, minmax(0, 1fr))` }}>
        {shown.map((one) => {
          const text = spec[one] ?? '';
          const wrong = told(one);
          const place = problem?.param === one && problem.position ? offsetOf(text, problem.position) : null;
          return (
            <section key={one} className={css.part} aria-label={t(`editors.mapreduce.parts.${one}`)}>
              <header>
                <h2>{t(`editors.mapreduce.parts.${one}`)}</h2>
                <span className={wrong ? css.bad : css.ok}>
                  {wrong ? <CircleX size={14} strokeWidth={1.8} aria-hidden /> : <CircleCheck size={14} strokeWidth={1.8} aria-hidden />}
                  <span className="ellipsis" title={wrong ?? undefined}>
                    {wrong ?? (text.trim() === '' ? t('editors.mapreduce.problem.empty') : t('editors.mapreduce.lines', { count: text.trimEnd().split('\n').length }))}
                  </span>
                </span>
              </header>
              <div className={css.editor}>
                <PagePart waiting={<Skeleton height="50%" width="90%" />}>
                  <Editor
                    key={`${one} ${taken}`}
                    initial={text}
                    language={language}
                    label={t(`editors.mapreduce.parts.${one}`)}
                    readOnly={readOnly}
                    problems={wrong && place !== null ? [{ from: place, to: Math.min(place + 1, text.length), message: wrong }] : []}
                    onChange={(next) => change({ [one]: next })}
                    onCursor={() => undefined}
                    onRun={() => onRun()}
                    onFormat={() => undefined}
                  />
                </PagePart>
              </div>
            </section>
          );
        })}
      </div>
    </div>
  );
}

function TemplateLabel({ title, text }: { title: string; text: string }) {
  return (
    <span className={css.template}>
      <strong>{title}</strong>
      <small>{text}</small>
    </span>
  );
}
