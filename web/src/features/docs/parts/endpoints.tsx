// A category of the developer API: every metric as the catalogue of metrics describes it, and a panel to try one.
import { Database, Infinity as InfinityIcon, Play, Clock } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { messageOf } from '@/api/error';
import { useLanguage } from '@/i18n';
import type { Texts } from '@/i18n/texts';
import { count } from '@/lib/format';
import { usePage } from '@/lib/page';
import { queryWithText } from '@/lib/query-link';
import { Button, ButtonLink } from '@/ui/button';
import { CopyButton, Empty, Failed, Skeleton } from '@/ui/parts';
import { inLanguage, pathOf, useMetrics, type Metric } from '../metrics';
import type { Category, Place } from '../nav';
import { useAnchor } from '../use-anchor';
import { Around } from './around';
import { TryIt } from './try-it';
import docs from '../docs.module.css';
import css from './endpoints.module.css';

/** Every metric is only read. */
const method = 'GET';

export function Endpoints({ category, place }: { category: Category; place: Place }) {
  const { t } = useTranslation();
  const title = t(`docs.page.${category}`);
  usePage(title);
  const { data, error, refetch } = useMetrics();
  const metrics = data?.metrics.filter((metric) => metric.category === category);
  const { hash } = useLocation();
  const [chosen, setChosen] = useState<{ name: string; at: string }>();
  useAnchor(metrics !== undefined);
  // The panel follows the last choice: a press of "Try it", or an address with the metric's anchor.
  const wanted = chosen?.at === hash ? chosen.name : hash.slice(1);
  const panel = useRef<HTMLElement>(null);
  const attempt = (name: string) => {
    setChosen({ name, at: hash });
    // On small screens it stands below everything else.
    panel.current?.focus();
  };
  const tried = metrics?.find((metric) => metric.metric === wanted) ?? metrics?.[0];
  const icon = { size: 15, strokeWidth: 1.6, 'aria-hidden': true };
  return (
    <div className={css.endpoints}>
      <article className={`${docs.text ?? ''} ${css.text ?? ''}`} data-page={place.page.id}>
        <p className={docs.group}>{t('docs.group.endpoints')}</p>
        <h1 tabIndex={-1}>{title}</h1>
        <p className={docs.lead}>{t(`docs.category.${category}`)}</p>
        <ul className={css.facts}>
          <li>
            <InfinityIcon {...icon} /> {t('docs.noLimits')}
          </li>
          <li>
            <Clock {...icon} /> {t('docs.unixMs')}
          </li>
          {data?.firstBlock === null || data?.firstBlock === undefined ? null : (
            <li>
              <Database {...icon} /> {t('docs.blocksOf', { first: count(data.firstBlock), head: count(data.head ?? data.firstBlock) })}
            </li>
          )}
        </ul>
        {error && !data ? (
          <Failed message={messageOf(error)} onRetry={() => void refetch()} />
        ) : metrics === undefined ? (
          <Skeleton height="5rem" width="100%" />
        ) : metrics.length === 0 ? (
          <Empty title={t('common.noData')} />
        ) : (
          metrics.map((metric) => <Endpoint key={metric.metric} metric={metric} onTry={() => attempt(metric.metric)} />)
        )}
        <Parameters />
        <Around place={place} />
      </article>
      {tried ? <TryIt ref={panel} metric={tried} headTime={data?.headTime ?? null} /> : null}
    </div>
  );
}

function Endpoint({ metric, onTry }: { metric: Metric; onTry: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const path = pathOf(metric);
  return (
    <section aria-labelledby={metric.metric}>
      <h2 id={metric.metric} className={docs.heading}>
        {inLanguage(metric.title, language)}
      </h2>
      <p>{inLanguage(metric.definition, language)}</p>
      {metric.available ? null : <p role="note">{t('docs.unavailable')}</p>}
      <div className={css.method}>
        <span>{method}</span>
        <code>{path}</code>
        <CopyButton text={location.origin + path} label={t('docs.copyAddress')} />
      </div>
      <dl className={css.about}>
        <dt>{t('docs.formula')}</dt>
        <dd>
          <code>{metric.formula}</code>
        </dd>
        <dt>{t('docs.unitOf')}</dt>
        <dd>{t(`docs.unit.${metric.unit as keyof Texts['docs']['unit']}`)}</dd>
        <dt>{t('docs.kind')}</dt>
        <dd>{t(`docs.metricKind.${metric.kind}`)}</dd>
        <dt>{t('docs.value')}</dt>
        <dd>{t(`docs.valueType.${metric.valueType}`)}</dd>
        <dt>{t('docs.resolutions')}</dt>
        <dd>
          {metric.resolutions.map((resolution) => (
            <code key={resolution}>{resolution}</code>
          ))}
        </dd>
        <dt>{t('docs.source')}</dt>
        <dd>
          {metric.source.map((table) => (
            <code key={table}>{table}</code>
          ))}
        </dd>
        {metric.aliases.length > 0 ? (
          <>
            <dt>{t('docs.aliases')}</dt>
            <dd>
              {metric.aliases.map((alias) => (
                <code key={alias}>{alias}</code>
              ))}
            </dd>
          </>
        ) : null}
      </dl>
      <div className={css.actions}>
        <Button size="small" icon={<Play size={14} strokeWidth={1.6} aria-hidden />} onClick={onTry} aria-label={t('docs.tryMetric', { name: inLanguage(metric.title, language) })}>
          {t('docs.tryIt')}
        </Button>
        <ButtonLink size="small" to={queryWithText('SQL', `${metric.sql}\norder by 1\n`)}>
          {t('docs.sameAsQuery')}
        </ButtonLink>
      </div>
    </section>
  );
}

function Parameters() {
  const { t } = useTranslation();
  return (
    <>
      <h2 id="parameters" className={docs.heading}>
        {t('docs.parameters')}
      </h2>
      {/* It scrolls, so the keyboard has to be able to reach it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={docs.scrolls} tabIndex={0} role="region" aria-label={t('docs.parameters')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('docs.nameOf')}</th>
              <th scope="col">{t('docs.required')}</th>
              <th scope="col">{t('docs.meaning')}</th>
            </tr>
          </thead>
          <tbody>
            {(['a', 'i', 's', 'u', 'f'] as const).map((name) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>{t('docs.optional')}</td>
                <td>{t(`docs.parameter.${name}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
