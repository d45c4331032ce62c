// Feedback of the users: read it, answer by letter, close it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/call';
import { Button } from '@/ui/button';
import { Tag, type Tone } from '@/ui/parts';
import { Actions, Given } from '../kit/cells';
import { useCommon } from '../kit/common';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { FeedbackDrawer } from '../parts/feedback-drawer';

const source = listOf('/api/system/feedback/list', '/api/system/feedback/export');
const states = ['open', 'handled', 'rejected'] as const;
const tones: Record<(typeof states)[number], Tone> = { open: 'accent', handled: 'ok', rejected: 'plain' };

export function Component() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Schemas['FeedbackView']>();
  const { user, text, choice, days, person, moment, plain, number, actions } = useCommon<RowOf<typeof source>>();
  const known = (state: string) => states.find((one) => one === state) ?? 'open';
  const photos = (row: Schemas['FeedbackView']) => row.feedbackPhoto.split('@').filter((path) => path !== '').length;
  return (
    <>
      <ListPage
        page="feedback"
        source={source}
        rowKey={(row) => row.id}
        empty={t('system.feedback.empty')}
        filters={[user(), text('title', t('system.feedback.title')), choice('state', t('system.kit.state'), states.map((state) => [state, t(`system.feedback.states.${state}`)])), days()]}
        columns={[
          plain('title', t('system.feedback.title'), (row) => row.feedbackTitle, { main: true, cut: true }),
          plain('content', t('system.feedback.suggestion'), (row) => row.feedbackContent, { cut: true }),
          { ...person((row) => row.userName), main: false },
          number('photos', t('system.feedback.photos'), photos),
          moment('time', t('system.kit.time'), (row) => row.createdAt),
          plain('state', t('system.kit.state'), (row) => t(`system.feedback.states.${known(row.state)}`), {
            cell: (row) => <Tag tone={tones[known(row.state)]}>{t(`system.feedback.states.${known(row.state)}`)}</Tag>,
          }),
          plain('by', t('system.feedback.by'), (row) => row.handledBy, { cell: (row) => <Given text={row.handledBy} /> }),
          actions((row) => (
            <Actions>
              <Button size="small" kind={row.state === 'open' ? 'default' : 'text'} onClick={() => setShown(row)}>
                {t(row.state === 'open' ? 'system.feedback.answer' : 'system.kit.details')}
              </Button>
            </Actions>
          )),
        ]}
      />
      {shown && <FeedbackDrawer feedback={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
