// Asks whether the page was clear; the answer is counted with the page's visits.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { call } from '@/api/call';
import { getSession } from '@/lib/session';
import { Button } from '@/ui/button';
import { useKeepPlace } from '@/ui/keep-place';
import css from '../docs.module.css';

export function Clear() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const [answered, setAnswered] = useState<string>();
  const answer = (behavior: 'yes' | 'no') => {
    setAnswered(pathname);
    const body = { currentUrl: pathname, triggerType: 'click', title: 'docs.clear', behavior, fingerprint: '', user: '', anonymous: getSession().token === null };
    call('post', '/api/front-track/trigger', { body, quiet: true }).catch((error: unknown) => console.warn('The answer could not be sent', error));
  };
  if (answered === pathname) return <p role="status">{t('docs.thanks')}</p>;
  return (
    <>
      <p id="docs-clear">{t('docs.clear')}</p>
      <Answers onAnswer={answer} />
    </>
  );
}

/** They go with the answer: by keys one goes on from there. */
function Answers({ onAnswer }: { onAnswer: (answer: 'yes' | 'no') => void }) {
  const { t } = useTranslation();
  const place = useKeepPlace<HTMLDivElement>();
  return (
    <div ref={place} className={css.clear} role="group" aria-labelledby="docs-clear">
      <Button size="small" onClick={() => onAnswer('yes')}>
        {t('docs.yes')}
      </Button>
      <Button size="small" onClick={() => onAnswer('no')}>
        {t('docs.no')}
      </Button>
    </div>
  );
}
