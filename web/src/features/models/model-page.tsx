// One model: its queries, its controls, and the stage.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { useChain } from '@/api/chain';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { dayOf, formatTime } from '@/lib/time';
import { useInPage } from '@/ui/in-page';
import { Part } from '@/ui/part';
import { Empty, Failed, ProgressBar } from '@/ui/parts';
import type { Lake, Model } from './model';
import { Cards } from './parts/cards';
import { Controls } from './parts/controls';
import { LiveState } from './parts/live-state';
import { Workbench } from './parts/workbench';
import { modelPath } from './registry';
import { useGraph, useLake } from './use-graph';
import { useReason } from './use-reason';
import { fitValues, type Fitted } from './values';
import css from './models.module.css';

interface Props {
  model: Model;
  params: Readonly<Record<string, string | undefined>>;
}

const noLake: Lake = { first: 0, head: 0, headNumber: 0, sample: false };

export function ModelPage({ model, params }: Props) {
  const { t } = useTranslation();
  const title = t(`models.model.${model.id}.title`);
  const trail = useMemo(() => (model.id === 'overview' ? [] : [{ title: t('models.title'), to: paths.models }]), [model, t]);
  usePage(title, trail);
  const [search] = useSearchParams();
  const { lake, empty, error, retry } = useLake(model);
  const fitted = useMemo<Fitted>(() => fitValues(model.controls, (name) => params[name] ?? search.get(name) ?? undefined, lake ?? noLake), [model, params, search, lake]);
  const tell = useReason();
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          <p>{t(`models.model.${model.id}.text`)}</p>
        </div>
        <Source />
      </header>
      {error ? (
        <div className={css.notice}>
          <Failed message={tell(error)} onRetry={retry} />
        </div>
      ) : empty ? (
        <div className={css.notice}>
          <Empty title={t('common.noData')}>{t('models.noBlocks')}</Empty>
        </div>
      ) : (
        <Run model={model} fitted={fitted} lake={lake} />
      )}
      {model.id === 'overview' && <Cards />}
    </div>
  );
}

/** What the rows come from, and up to when. */
function Source() {
  const { t } = useTranslation();
  const { data } = useChain();
  if (!data?.head) return null;
  return (
    <p className={css.source}>
      <span>{t('shell.dataAsOf', { time: formatTime(data.head.time) })}</span>
    </p>
  );
}

function Run({ model, fitted: { values, missing }, lake }: { model: Model; fitted: Fitted; lake: Lake | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search, setSearch] = useInPage();
  const { data, error, refetch, isPlaceholderData } = useGraph(model, values, lake?.headNumber ?? null);
  const set = (name: string, value: string) => {
    if (model.path.includes(`:${name}`)) void navigate({ pathname: modelPath(model, { [name]: value }), search: search.toString() });
    else
      setSearch((now) => {
        now.set(name, value);
        return now;
      });
  };
  const tell = useReason();
  const controls = model.controls.length > 0 && lake ? <Controls controls={model.controls} values={values} text={data?.queries.nodes ?? ''} onChange={set} /> : null;
  return (
    <>
      {missing !== null && lake && <p className={css.hint} role="status">{t('models.notInLake', { asked: missing, from: dayOf(lake.first), to: dayOf(lake.head), shown: values['day'] ?? values['month'] })}</p>}
      {model.live && lake && <LiveState lake={lake} />}
      {data ? (
        <Part of={[data]}>
          <Workbench graph={data.graph} stale={isPlaceholderData && !model.live} model={model} queries={data.queries} controls={controls} />
        </Part>
      ) : (
        <div className={css.notice}>
          {controls && <div className={css.looseControls}>{controls}</div>}
          {error ? <Failed message={tell(error)} onRetry={() => void refetch()} /> : <Waiting />}
        </div>
      )}
    </>
  );
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <div className={css.waiting}>
      <ProgressBar percent={null} label={t('models.running')} />
      <p>{t('models.running')}</p>
    </div>
  );
}
