// What was sent to addresses outside: mails or text messages.
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { Schemas } from '@/api/call';
import { Tag } from '@/ui/parts';
import { useCommon } from '../kit/common';
import { ListPage } from '../kit/list-page';
import type { Source } from '../kit/source';

interface SentPageProps {
  page: 'mail' | 'message';
  source: Source<Schemas['SentMessage']>;
  above?: ReactNode;
}

export function SentPage({ page, source, above }: SentPageProps) {
  const { t } = useTranslation();
  const { text, choice, days, moment, plain } = useCommon<Schemas['SentMessage']>();
  const state = (row: Schemas['SentMessage']) => (row.state === 'sent' ? t('system.sent.sent') : t('system.sent.failed'));
  return (
    <ListPage
      page={page}
      source={source}
      above={above}
      empty={t('system.sent.empty')}
      rowKey={(row) => row.id}
      filters={[text('target', t('system.sent.target')), choice('state', t('system.kit.state'), [['sent', t('system.sent.sent')], ['failed', t('system.sent.failed')]]), days()]}
      columns={[
        plain('target', t('system.sent.target'), (row) => row.target, { main: true }),
        ...(page === 'mail' ? [plain('subject', t('system.sent.subject'), (row) => row.subject, { cut: true })] : []),
        plain('content', t('system.sent.content'), (row) => row.content, { cut: true }),
        plain('state', t('system.kit.state'), state, { cell: (row) => <Tag tone={row.state === 'sent' ? 'ok' : 'bad'}>{state(row)}</Tag> }),
        plain('reason', t('system.sent.reason'), (row) => row.reason, { cut: true }),
        moment('time', t('system.kit.time'), (row) => row.sentAt),
      ]}
    />
  );
}
