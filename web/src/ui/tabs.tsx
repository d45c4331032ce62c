// Tabs that are addresses: each is a link, so that it can be opened, kept and shared like any page.
import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'react-router';
import css from './tabs.module.css';

export interface Tab {
  key: string;
  name: string;
  to: string;
  /** How much is behind it; left out while that is not known. */
  count?: ReactNode;
}

export function Tabs({ tabs, current, label }: { tabs: Tab[]; current: string; label: string }) {
  const bar = useRef<HTMLElement>(null);
  // On small screens the bar is wider than the page: the tab that is open is in sight.
  useEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (bar.current && tab) bar.current.scrollLeft = tab.offsetLeft - bar.current.offsetLeft - (bar.current.clientWidth - tab.offsetWidth) / 2;
  }, [current, tabs.length]);
  return (
    <nav ref={bar} className={css.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.key} to={tab.to} preventScrollReset className={css.tab} aria-current={tab.key === current ? 'page' : undefined}>
          {tab.name}
          {tab.count !== undefined && <span className={css.count}>{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
