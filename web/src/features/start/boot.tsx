// What the start page gets ready while a person reads: the chain's state, the account, and the next pages' code.
import { Check } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChain } from '@/api/chain';
import { messageOf } from '@/api/error';
import { useSession } from '@/lib/session';
import { Button } from '@/ui/button';
import { ProgressBar } from '@/ui/parts';
import { preloadPages } from './preload';
import css from './start.module.css';

export function Boot() {
  const { t } = useTranslation();
  const chain = useChain();
  const { token, account } = useSession();
  const [pages, setPages] = useState(false);
  useEffect(() => {
    let shown = true;
    void preloadPages().then(() => {
      if (shown) setPages(true);
    });
    return () => {
      shown = false;
    };
  }, []);

  const steps = [
    { name: 'chain', done: chain.isSuccess },
    { name: 'account', done: token === null || account !== null },
    { name: 'pages', done: pages },
  ] as const;
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);

  if (chain.isError) {
    return (
      <div className={css.boot} role="alert">
        <div className={css.bootLine}>
          <span>
            <strong>{t('start.late')}</strong> {messageOf(chain.error)}
          </span>
          <Button size="small" onClick={() => void chain.refetch()}>
            {t('common.retry')}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className={css.boot}>
      <div className={css.bootLine} role="status">
        {next ? (
          <>
            <span>{t('start.loading')}</span>
            <span className={css.bootStep}>{t(`start.steps.${next.name}`)}</span>
          </>
        ) : (
          <span className={css.ready}>
            <Check size={15} strokeWidth={2} />
            {t('start.ready')}
          </span>
        )}
      </div>
      {next && <ProgressBar percent={((done + 0.4) / steps.length) * 100} label={t('start.loading')} />}
    </div>
  );
}
