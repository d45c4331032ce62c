// One model: its queries, its controls, and the stage; for visitors what it shows and how to get in.
import { LogIn } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useChain } from '@/api/chain';
import { loginPath } from '@/lib/guard';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { formatTime } from '@/lib/time';
import { ButtonLink } from '@/ui/button';
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
  const visitor = useSession().token === null;
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
      {visitor ? (
        <Visitor />
      ) : error ? (
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

function Visitor() {
  const { t } = useTranslation();
  const location = useLocation();
  return (
    <div className={css.notice}>
      <Empty
        title={t('models.visitorTitle')}
        actions={
          <>
            <ButtonLink kind="primary" to={loginPath(location)} icon={<LogIn size={16} strokeWidth={1.6} />}>
              {t('session.logIn')}
            </ButtonLink>
            <ButtonLink to={paths.register}>{t('session.createAccount')}</ButtonLink>
          </>
        }
      >
        {t('models.visitorText')}
      </Empty>
    </div>
  );
}

function Run({ model, fitted: { values, missing }, lake }: { model: Model; fitted: Fitted; lake: Lake | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const queries = useMemo(() => (lake ? model.queries(values, lake) : null), [model, values, lake]);
  const [{ data, error, refetch, isPlaceholderData }, shown] = useGraph(model, values, queries);
  const set = (name: string, value: string) => {
    if (model.path.includes(`:${name}`)) void navigate({ pathname: modelPath(model, { [name]: value }), search: search.toString() });
    else
      setSearch((now) => {
        now.set(name, value);
        return now;
      });
  };
  const tell = useReason();
  const controls = model.controls.length > 0 && lake ? <Controls controls={model.controls} values={values} onChange={set} /> : null;
  return (
    <>
      {missing !== null && lake && <p className={css.hint} role="status">{t('models.notInLake', { asked: missing, from: formatTime(lake.first).slice(0, 10), to: formatTime(lake.head).slice(0, 10), shown: values['day'] ?? values['month'] })}</p>}
      {model.live && lake && <LiveState lake={lake} />}
      {data && shown ? (
        <Part of={[data]}>
          <Workbench graph={data} stale={isPlaceholderData && !model.live} model={model} queries={shown} controls={controls} />
        </Part>
      ) : (
        <div className={css.notice}>
          {controls && <div className={css.looseControls}>{controls}</div>}
          {error ? <Failed message={tell(error)} onRetry={() => void refetch()} /> : lake && shown === null ? <Empty title={t('models.needsValue')} /> : <Waiting />}
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
