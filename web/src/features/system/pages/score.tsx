// Credits: the rules that give them, and the ledger.
import { useQuery } from '@tanstack/react-query';
import { Form, Input, InputNumber, Switch } from 'antd';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { Button } from '@/ui/button';
import { Failed, Skeleton, Tag } from '@/ui/parts';
import { useAct } from '../kit/act';
import { None } from '../kit/cells';
import { useCommon } from '../kit/common';
import { DataTable } from '../kit/data-table';
import { FormDialog } from '../kit/form-dialog';
import { ExportButton, List } from '../kit/list-page';
import { PageHead } from '../kit/page-head';
import { listOf, type RowOf } from '../kit/source';
import { useFilters } from '../kit/use-filters';
import { scoreRuleName, scoreRules, scoreRuleWhen } from '../parts/score-rules';
import css from '../kit/kit.module.css';

type Rule = Schemas['CreditRule'];
/** A rule of which only the name is known so far. */
type Named = Pick<Rule, 'ruleKey'> & Partial<Rule>;
const source = listOf('/api/system/score/entry/list');

export function Component() {
  const { t } = useTranslation();
  const [writing, setWriting] = useState(false);
  const [changed, setChanged] = useState<Rule>();
  const { user, choice, days, person, moment, number, plain } = useCommon<RowOf<typeof source>>();
  const ruleName = (key: string) => scoreRuleName(t, key);
  const filters = [user(), choice('rule', t('system.score.rule'), scoreRules.map((rule) => [rule, ruleName(rule)])), days()];
  const columns = [
    person((row) => row.userName),
    number('points', t('system.score.points'), (row) => row.points, (row) => <Tag tone={row.points < 0 ? 'bad' : 'ok'}>{row.points < 0 ? `−${-row.points}` : `+${row.points}`}</Tag>),
    plain('rule', t('system.score.rule'), (row) => ruleName(row.ruleKey)),
    plain('subject', t('system.score.subject'), (row) => row.title, { cut: true, cell: (row) => row.title || <None /> }),
    plain('note', t('system.kit.note'), (row) => row.note, { cut: true, cell: (row) => row.note || <None /> }),
    moment('time', t('system.kit.time'), (row) => row.createdAt),
  ];
  const { query } = useFilters(filters);

  return (
    <>
      <PageHead
        page="score"
        actions={
          <>
            <ExportButton source={source} columns={columns} query={query} name={t('system.pages.score')} />
            <Button kind="primary" icon={<Plus size={17} strokeWidth={1.6} />} onClick={() => setWriting(true)}>
              {t('system.score.write')}
            </Button>
          </>
        }
      />
      <Rules name={ruleName} onChange={setChanged} />
      <h2 className={css.sub}>{t('system.score.entries')}</h2>
      <List source={source} filters={filters} columns={columns} rowKey={(row) => row.id} name={t('system.score.entries')} />
      {writing && (
        <FormDialog<Schemas['EntryForm']>
          title={t('system.score.write')}
          ok={t('system.kit.save')}
          done={t('system.kit.saved')}
          initial={{ userName: '', note: '' }}
          onClose={() => setWriting(false)}
          onSubmit={(body) => call('post', '/api/system/score/entry/create', { body, quiet: true })}
        >
          <Form.Item name="userName" label={t('system.kit.userName')} rules={[{ required: true, message: t('system.kit.required') }]}>
            <Input maxLength={16} />
          </Form.Item>
          <Points most={1_000_000} />
          <Form.Item name="note" label={t('system.score.why')} rules={[{ required: true, whitespace: true, message: t('system.kit.required') }]}>
            <Input maxLength={200} />
          </Form.Item>
        </FormDialog>
      )}
      {changed && (
        <FormDialog<Schemas['RuleForm']>
          title={ruleName(changed.ruleKey)}
          ok={t('system.kit.save')}
          done={t('system.kit.saved')}
          initial={{ points: changed.points, enabled: changed.enabled, note: changed.note }}
          onClose={() => setChanged(undefined)}
          onSubmit={(body) => call('put', '/api/system/score/rule/{key}', { path: { key: changed.ruleKey }, body, quiet: true })}
        >
          <Points most={1000} />
          <Form.Item name="enabled" label={t('system.score.on')} valuePropName="checked">
            <Switch />
          </Form.Item>
          <Form.Item name="note" label={t('system.kit.note')}>
            <Input maxLength={200} />
          </Form.Item>
        </FormDialog>
      )}
    </>
  );
}

function Points({ most }: { most: number }) {
  const { t } = useTranslation();
  return (
    <Form.Item name="points" label={t('system.score.points')} rules={[{ required: true, type: 'integer', message: t('system.score.pointsHint') }]}>
      <InputNumber min={-most} max={most} precision={0} style={{ width: '100%' }} />
    </Form.Item>
  );
}

/** In the order of the server's answer; all but what is written by hand. */
const expected: readonly Named[] = scoreRules.filter((rule) => rule !== 'manual').sort().map((ruleKey) => ({ ruleKey }));
const whole = (rule: Named): rule is Rule => rule.points !== undefined;

function Rules({ name, onChange }: { name: (key: string) => string; onChange: (rule: Rule) => void }) {
  const { t } = useTranslation();
  const act = useAct();
  const list = useQuery({ queryKey: ['system', 'score rules'], queryFn: ({ signal }) => call('get', '/api/system/score/rule/list', { signal, quiet: true }) });
  return (
    <DataTable<Named>
      label={t('system.score.rulesTitle')}
      stale={list.isPending}
      // Each in its place before it is known: the list below would be pushed down, by a whole card each on small screens.
      rows={list.data ?? (list.isPending ? expected : [])}
      rowKey={(rule) => rule.ruleKey}
      columns={[
        { key: 'rule', head: t('system.score.rule'), main: true, text: (rule) => name(rule.ruleKey) },
        { key: 'when', head: t('system.score.when'), text: (rule) => scoreRuleWhen(t, rule.ruleKey) },
        { key: 'points', head: t('system.score.points'), end: true, cell: (rule) => rule.points ?? <Skeleton height="1.45em" width="2em" /> },
        { key: 'note', head: t('system.kit.note'), cut: true, cell: (rule) => (whole(rule) ? rule.note || <None /> : <Skeleton height="1.45em" width="12em" />) },
        {
          key: 'on',
          head: t('system.score.on'),
          cell: (rule) => (
            <Switch
              size="small"
              loading={!whole(rule)}
              checked={rule.enabled ?? false}
              aria-label={t('system.score.onOf', { rule: name(rule.ruleKey) })}
              onChange={(enabled) => {
                if (whole(rule)) act({ run: () => call('put', '/api/system/score/rule/{key}', { path: { key: rule.ruleKey }, body: { points: rule.points, note: rule.note, enabled } }), done: t('system.kit.saved') });
              }}
            />
          ),
        },
        {
          key: 'actions',
          head: t('system.kit.actions'),
          end: true,
          cell: (rule) => (
            <Button size="small" kind="text" disabled={!whole(rule)} onClick={() => whole(rule) && onChange(rule)}>
              {t('system.kit.edit')}
            </Button>
          ),
        },
      ]}
    >
      {list.isError && <Failed message={messageOf(list.error)} onRetry={() => void list.refetch()} />}
    </DataTable>
  );
}
