// The home page: the chain now, the person's running and recent work.
import { useTranslation } from 'react-i18next';
import { usePage } from '@/lib/page';
import { useSession } from '@/lib/session';
import { Part } from '@/ui/part';
import { Blocks } from './blocks';
import { Lake } from './lake';
import { Recent } from './recent';
import { Running } from './running';
import { OfficialCharts, Trending } from './showcase';
import { SignUp } from './sign-up';
import { Stats } from './stats';
import { useJobs } from './use-jobs';
import css from './home.module.css';

export function Component() {
  const { t } = useTranslation();
  usePage(t('home.title'));
  const { token, account } = useSession();
  const running = useJobs('RUNNING').data?.total;
  return (
    <div className={css.page}>
      <header className={css.head}>
          <h1>{account ? t(`home.greeting.${partOfDay(new Date().getHours())}`, { name: account.name }) : t('home.welcome')}</h1>
          <p>{token === null ? t('home.visitorLead') : running === undefined ? '\u00a0' : t('home.running', { count: running })}</p>
      </header>
      <Part>
        <Stats />
      </Part>
      <div className={css.upper}>
        <Part>
          <Blocks />
        </Part>
        <Part>{token === null ? <SignUp /> : <Running />}</Part>
      </div>
      <div className={css.lower}>
        <div className={css.column}>
          {token !== null && (
            <Part>
              <Recent />
            </Part>
          )}
          <Part>
            <OfficialCharts />
          </Part>
          {token === null && (
            <Part>
              <Lake />
            </Part>
          )}
        </div>
        <div className={css.column}>
          <Part>
            <Trending />
          </Part>
          {token !== null && (
            <Part>
              <Lake />
            </Part>
          )}
        </div>
      </div>
    </div>
  );
}

function partOfDay(hour: number): 'morning' | 'afternoon' | 'evening' {
  if (hour >= 5 && hour < 12) return 'morning';
  return hour >= 12 && hour < 18 ? 'afternoon' : 'evening';
}
