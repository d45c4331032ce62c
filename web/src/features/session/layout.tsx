// The entrances: the form at the left, the cut at the right.
import { useTranslation } from 'react-i18next';
import { Link, Outlet } from 'react-router';
import { useChain } from '@/api/chain';
import { compact, share } from '@/lib/format';
import { paths } from '@/lib/paths';
import { formatTime } from '@/lib/time';
import { Cut, cutBlocks } from '@/ui/cut';
import { kindShares } from '@/ui/cut-layout';
import { Logo } from '@/ui/logo';
import { Part } from '@/ui/part';
import { Tag } from '@/ui/parts';
import { LanguageButton, ThemeButton } from '@/ui/settings';
import css from './session.module.css';

export function Component() {
  const { t } = useTranslation();
  return (
    <div className={css.page}>
      <div className={css.side}>
        <header className={css.head}>
          <Link to={paths.start} className={css.brand}>
            <Logo size={26} />
            {t('common.appName')}
          </Link>
          <div className={css.tools}>
            <LanguageButton />
            <ThemeButton />
          </div>
        </header>
        <main className={css.main}>
          <Outlet />
        </main>
        <footer className={css.foot}>
          {t('session.withoutAccount')} <Link to={paths.home}>{t('session.lookAround')}</Link>
        </footer>
      </div>
      <Part quiet>
        <Face />
      </Part>
    </div>
  );
}

/** The picture, with one true sentence about it. */
function Face() {
  const { t } = useTranslation();
  const { data } = useChain();
  if (!data) return <div className={css.face} />;
  const blocks = data.recentBlocks.slice(-cutBlocks);
  const [largest] = kindShares(blocks);
  return (
    <div className={css.face}>
      <Cut blocks={blocks} top={0.41} bottom={0.03} />
      {data.head && (
        <aside className={css.fact}>
          {data.origin === 'sample' && <Tag tone="warn">{t('shell.sample')}</Tag>}
          {largest ? (
            <p>{t(`session.facts.${largest.kind}`, { share: share(largest.share, 1) })}</p>
          ) : (
            <p>{t('session.facts.plain', { count: blocks.length, gas: compact(blocks.reduce((sum, block) => sum + block.gasUsed, 0)) })}</p>
          )}
          <small>{t(largest ? 'session.factSource' : 'session.plainSource', { count: blocks.length, time: data.dataAsOf ? formatTime(data.dataAsOf) : '' })}</small>
        </aside>
      )}
    </div>
  );
}
