// Asks for a metric with the reader's key and shows what comes back: the code for it, the answer, and a small chart.
import { Send } from 'lucide-react';
import { useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '@/i18n';
import { useSession } from '@/lib/session';
import { daysFrom, dayStart, formatTime } from '@/lib/time';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { lazyPart, Part } from '@/ui/part';
import { Skeleton, Tag } from '@/ui/parts';
import { addressOf, inLanguage, pathOf, pointsOf, pretty, send, type Metric, type Outcome, type Params } from '../metrics';
import { codeLanguages, paintOf, requestCode, type CodeLanguage } from '../request-code';
import { Choice } from './choice';
import { Code } from './code';
import css from './try-it.module.css';

const ResponseChart = lazyPart(() => import('./response-chart').then((module) => ({ default: module.ResponseChart })));

const shownCharacters = 4_000;
const keptRequests = 5;

/** The last 30 days before the head: what a first request asks for. */
const firstParams = (headTime: number | null): Params => ({ i: '24h', s: headTime === null ? '' : String(dayStart(daysFrom(headTime, -29))), u: '', f: 'json' });

export function TryIt({ ref, metric, headTime }: { ref?: Ref<HTMLElement>; metric: Metric; headTime: number | null }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const signedIn = useSession().token !== null;
  const [params, setParams] = useState<Params>(() => firstParams(headTime));
  const [key, setKey] = useState('');
  const [code, setCode] = useState<CodeLanguage>('curl');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const path = pathOf(metric);
  const address = addressOf(path, params);
  // What another metric answered, perhaps after this one was chosen, is no answer of this one.
  const own = outcomes.find((outcome) => outcome.address.split('?')[0] === path);
  const change = (part: Partial<Params>) => setParams({ ...params, ...part });

  const ask = () => {
    setBusy(true);
    setFailure(false);
    send(address, key.trim())
      .then(
        (outcome) => setOutcomes((before) => [outcome, ...before].slice(0, keptRequests)),
        (error: unknown) => {
          console.warn('The request could not be sent', error);
          setFailure(true);
        },
      )
      .finally(() => setBusy(false));
  };

  return (
    <aside ref={ref} tabIndex={-1} className={css.panel} aria-label={t('docs.tryIt')}>
      <div className={css.head}>
        <h2>{t('docs.tryIt')}</h2>
        <Choice label={t('docs.codeLanguage')} options={codeLanguages} value={code} onChange={setCode} />
      </div>
      <p className={css.metric}>{inLanguage(metric.title, language)}</p>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <Field label={t('docs.apiKey')} type="password" autoComplete="off" spellCheck={false} value={key} onChange={(event) => setKey(event.target.value)} hint={t(signedIn ? 'docs.keyOrLogin' : 'docs.keyHint')} />
        <div className={css.pair}>
          <TimeField name="s" value={params.s} onChange={(s) => change({ s })} />
          <TimeField name="u" value={params.u} onChange={(u) => change({ u })} />
        </div>
        <div className={css.choices}>
          <Choice label={t('docs.parameter.i')} options={metric.resolutions} value={params.i} onChange={(i) => change({ i })} />
          <Choice label={t('docs.parameter.f')} options={['json', 'csv'] as const} value={params.f} onChange={(f) => change({ f })} />
        </div>
        <Code language={paintOf[code]} text={requestCode(code, location.origin + address)} />
        <Button type="submit" kind="primary" busy={busy} icon={<Send size={15} strokeWidth={1.6} aria-hidden />}>
          {t('docs.send')}
        </Button>
      </form>
      {failure ? (
        <p role="alert" className={css.failure}>
          {t('docs.sendFailed')}
        </p>
      ) : null}
      <Answer outcome={own} />
      <Recent outcomes={outcomes} />
    </aside>
  );
}

/** A time in milliseconds, with what it is in UTC below it. */
function TimeField({ name, value, onChange }: { name: 's' | 'u'; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  const ms = Number(value);
  const known = value !== '' && Number.isFinite(ms) && Math.abs(ms) < 8.64e15;
  return <Field label={t(`docs.time.${name}`)} inputMode="numeric" value={value} onChange={(event) => onChange(event.target.value.replace(/[^\d-]/g, ''))} hint={known ? `${formatTime(ms)} UTC` : t(`docs.openTime.${name}`)} />;
}

const tone = (status: number) => (status < 300 ? 'ok' : status < 500 ? 'warn' : 'bad');

function Answer({ outcome }: { outcome: Outcome | undefined }) {
  const { t } = useTranslation();
  const [view, setView] = useState<'text' | 'chart'>('text');
  if (!outcome) return null;
  const points = pointsOf(outcome.body);
  const shown = pretty(outcome.body);
  return (
    <section className={css.answer} aria-label={t('docs.response')} aria-live="polite">
      <div className={css.head}>
        <h3>
          {t('docs.response')} <Tag tone={tone(outcome.status)}>{outcome.status}</Tag>
          <small>{t('docs.took', { ms: outcome.ms, bytes: outcome.bytes })}</small>
        </h3>
        {points ? <Choice label={t('docs.showAs')} options={['text', 'chart'] as const} value={view} onChange={setView} name={(option) => t(`docs.view.${option}`)} /> : null}
      </div>
      {points && view === 'chart' ? (
        <div className={css.chart}>
          <Part of={[points]} waiting={<Skeleton height="100%" width="100%" />}>
            <ResponseChart points={points} label={outcome.address} />
          </Part>
        </div>
      ) : (
        <Code language="json" text={shown.length > shownCharacters ? `${shown.slice(0, shownCharacters)}\n…` : shown} />
      )}
    </section>
  );
}

function Recent({ outcomes }: { outcomes: readonly Outcome[] }) {
  const { t } = useTranslation();
  if (outcomes.length < 2) return null;
  return (
    <section className={css.recent}>
      <h3>{t('docs.recentRequests')}</h3>
      <ul>
        {outcomes.map((outcome, index) => (
          <li key={outcomes.length - index}>
            <code className="ellipsis">{outcome.address.replace('/api/v1/metrics', '')}</code>
            <Tag tone={tone(outcome.status)}>{outcome.status}</Tag>
            <span>{t('docs.ms', { ms: outcome.ms })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
