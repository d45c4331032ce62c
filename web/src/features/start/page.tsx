// The start page: what Quarry is, and the chain it holds, cut open.
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useChain } from '@/api/chain';
import { loginPath } from '@/lib/guard';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { ButtonLink } from '@/ui/button';
import { Cut, KindLegend } from '@/ui/cut';
import { Logo } from '@/ui/logo';
import { Tag } from '@/ui/parts';
import { LanguageButton, ThemeButton } from '@/ui/settings';
import { Boot } from './boot';
import { Facts } from './facts';
import css from './start.module.css';

const home = { pathname: paths.home, search: '', hash: '' };

export function Component() {
  const { t } = useTranslation();
  usePage('');
  const { token } = useSession();
  const { data } = useChain();
  return (
    <div className={css.page}>
      <header className={css.head}>
        <Link to={paths.start} className={css.brand}>
          <Logo size={28} />
          {t('common.appName')}
        </Link>
        <div className={css.tools}>
          <LanguageButton />
          <ThemeButton />
          {token === null && (
            <>
              <ButtonLink to={loginPath(home)}>{t('session.logIn')}</ButtonLink>
              <ButtonLink to={paths.register} kind="primary">
                {t('session.createAccount')}
              </ButtonLink>
            </>
          )}
        </div>
      </header>
      <main className={css.main}>
        <div className={css.pitch}>
          <h1>{t('start.headline')}</h1>
          <p>{t('start.lead')}</p>
          <div className={css.actions}>
            <ButtonLink to={paths.home} kind="primary" size="large">
              {t('start.open')}
              <ArrowRight size={18} strokeWidth={1.6} />
            </ButtonLink>
            <ButtonLink to={paths.query} size="large">
              {t('start.write')}
            </ButtonLink>
          </div>
        </div>
        <div className={css.state}>
          <Boot />
          <Facts />
        </div>
      </main>
      <aside className={css.face}>
        {data && <Cut blocks={data.recentBlocks} top={0.36} bottom={0} />}
        {data && (
          <div className={css.legend}>
            {data.origin === 'sample' && (
              <Tag tone="warn" title={t('shell.sampleHint')}>
                {t('shell.sample')}
              </Tag>
            )}
            <KindLegend blocks={data.recentBlocks} />
            {data.head && <span>{t('start.heightIsGas')}</span>}
          </div>
        )}
      </aside>
    </div>
  );
}
