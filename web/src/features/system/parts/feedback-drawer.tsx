// One feedback with its screenshots, and what is done about it: the answer goes to its sender as a letter.
import { useQueryClient } from '@tanstack/react-query';
import { Input, Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { Drawer } from '@/ui/drawer';
import { notify } from '@/ui/notices';
import { Button } from '@/ui/button';
import { Moment, Person } from '../kit/cells';
import { Picture } from './picture';
import css from '../kit/kit.module.css';

type State = Schemas['FeedbackState'];
const states: readonly State[] = ['open', 'handled', 'rejected'];
const longest = 2000;

export function FeedbackDrawer({ feedback, onClose }: { feedback: Schemas['FeedbackView']; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [state, setState] = useState<State>(feedback.state === 'rejected' ? 'rejected' : 'handled');
  const [answer, setAnswer] = useState(feedback.answer);
  const [busy, setBusy] = useState(false);
  const untouched = answer.trim() === feedback.answer.trim();
  const photos = feedback.feedbackPhoto.split('@').filter((path) => path !== '');

  const save = async () => {
    setBusy(true);
    try {
      await call('put', '/api/system/feedback/{id}', { path: { id: feedback.id }, body: { state, answer: answer.trim() } });
      notify.success(t(answer.trim() === '' || untouched ? 'system.kit.saved' : 'system.feedback.answered', { name: feedback.userName }));
      onClose();
      await client.invalidateQueries({ queryKey: ['system'] });
    } catch (error) {
      console.warn('The feedback could not be answered', error);
      setBusy(false);
    }
  };

  return (
    <Drawer
      open
      title={feedback.feedbackTitle}
      size={560}
      // A click beside it, or a key, would lose the answer.
      mask={{ closable: untouched }}
      keyboard={untouched}
      onClose={onClose}
      footer={
        <div className={css.drawerFoot}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" busy={busy} onClick={() => void save()}>
            {t('system.kit.save')}
          </Button>
        </div>
      }
    >
      <dl className={css.facts}>
        <div>
          <dt>{t('system.kit.user')}</dt>
          <dd>
            <Person name={feedback.userName} />
          </dd>
        </div>
        <div>
          <dt>{t('system.kit.utc', { head: t('system.kit.time') })}</dt>
          <dd>
            <Moment ms={feedback.createdAt} />
          </dd>
        </div>
        <div>
          <dt>{t('system.feedback.page')}</dt>
          <dd>{feedback.feedbackUrl}</dd>
        </div>
        <div>
          <dt>{t('system.feedback.suggestion')}</dt>
          <dd>{feedback.feedbackContent}</dd>
        </div>
      </dl>
      {photos.map((path, index) => (
        <Picture key={path} path={path} name={t('system.feedback.photo', { number: index + 1 })} />
      ))}
      <h2 className={css.sub} id="feedback-answer">
        {t('system.feedback.answer')}
      </h2>
      <Input.TextArea aria-labelledby="feedback-answer" value={answer} maxLength={longest} showCount autoSize={{ minRows: 4, maxRows: 12 }} onChange={(event) => setAnswer(event.target.value)} />
      <p className={css.hint}>{t('system.feedback.answerHint', { name: feedback.userName })}</p>
      <Segmented<State> aria-label={t('system.kit.state')} value={state} onChange={setState} options={states.map((value) => ({ value, label: t(`system.feedback.states.${value}`) }))} />
    </Drawer>
  );
}
