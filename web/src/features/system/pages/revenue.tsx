// Revenue: what users gained by the score rules, over time and each.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { count } from '@/lib/format';
import { useNow } from '@/lib/now';
import { ChartCard } from '../kit/chart-card';
import { useCommon } from '../kit/common';
import { dayName, lastDays, perDay } from '../kit/days';
import { failedOf, FiguresFailed } from '../kit/figures-failed';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { Stats } from '../kit/stats';
import { scoreRuleName } from '../parts/score-rules';
import css from '../kit/kit.module.css';

const source = listOf('/api/system/revenue/list');
const shownDays = 30;
const hourMs = 3_600_000;

export function Component() {
  const { t } = useTranslation();
  const { user, person, moment, number } = useCommon<RowOf<typeof source>>();
  return (
    <ListPage
      page="revenue"
      source={source}
      above={<Figures />}
      rowKey={(row) => row.userId}
      filters={[user()]}
      columns={[
        person((row) => row.userName),
        number('credits', t('system.users.credits'), (row) => row.credits),
        number('entries', t('system.score.entries'), (row) => row.entries),
        moment('last', t('system.revenue.last'), (row) => row.lastAt),
      ]}
    />
  );
}

function Figures() {
  const { t } = useTranslation();
  const now = useNow(hourMs);
  const askedAll = useQuery({ queryKey: ['system', 'revenue summary'], queryFn: ({ signal }) => call('get', '/api/system/revenue/summary', { signal, quiet: true }) });
  const askedDays = useQuery({ queryKey: ['system', 'revenue days'], queryFn: ({ signal }) => call('get', '/api/system/revenue/days', { signal, quiet: true }) });
  const totals = askedAll.data;
  const rows = askedDays.data;
  const data = useMemo(() => {
    if (!rows) return undefined;
    const days = lastDays(now, shownDays);
    const rules = [...new Set(rows.map((row) => row.ruleKey))];
    const series = rules.map((rule) => ({ name: scoreRuleName(t, rule), values: perDay(days, rows.filter((row) => row.ruleKey === rule), (row) => row.points) }));
    return { steps: days.map(dayName), series };
  }, [rows, now, t]);
  const month = rows?.reduce((sum, row) => sum + row.points, 0);
  const shown = (value: number | undefined) => (value === undefined ? undefined : count(value));
  const failed = failedOf(askedAll, askedDays);
  if (failed.length > 0) return <FiguresFailed failed={failed} />;
  return (
    <>
      <Stats
        label={t('system.pages.revenue')}
        stats={[
          { label: t('system.revenue.all'), value: shown(totals?.credits) },
          { label: t('system.revenue.holders'), value: shown(totals?.holders) },
          { label: t('system.revenue.month'), value: shown(month) },
          { label: t('system.revenue.mean'), value: totals ? (totals.holders === 0 ? '0' : (totals.credits / totals.holders).toFixed(1)) : undefined },
        ]}
      />
      <div className={css.charts}>
        <ChartCard kind="bars" title={t('system.revenue.byRule')} note={t('system.kit.perDay')} stepName={t('system.kit.day')} data={data} />
      </div>
    </>
  );
}
