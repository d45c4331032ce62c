// The frame around the pages: sidebar or rail, top bar, content, and the bottom bar of small screens.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useMatches } from 'react-router';
import { loadTexts } from '@/i18n';
import { useSession } from '@/lib/session';
import { lazyPart, Part } from '@/ui/part';
import type { RouteHandle } from '../handle';
import { KeptPages } from '../kept-pages';
import { BottomBar } from './bottom-bar';
import { Help } from './help';
import { Sidebar } from './sidebar';
import { useSidebar } from './sidebar-state';
import { TopBar } from './top-bar';
import { useShellKeys } from './use-shell-keys';
import css from './shell.module.css';

const loadPalette = async () => {
  const [{ Palette: component }] = await Promise.all([import('./palette'), loadTexts('palette')]);
  return { default: component };
};
const Palette = lazyPart(loadPalette);
const idle: (run: () => void) => unknown = 'requestIdleCallback' in window ? (run) => requestIdleCallback(run) : (run) => setTimeout(run, 1_000);

export function Component() {
  const { t } = useTranslation();
  const handle = useMatches().at(-1)?.handle as RouteHandle | undefined;
  const search = useLocation().search;
  const wanted = handle?.layout ?? 'page';
  const layout = typeof wanted === 'function' ? wanted(new URLSearchParams(search)) : wanted;
  const { login } = useSession();
  const sidebar = useSidebar(layout);
  const [help, setHelp] = useState(false);
  const [searching, setSearching] = useState(false);
  const showHelp = () => setHelp(true);
  useShellKeys({ toggleSidebar: sidebar.toggle, showHelp, search: () => setSearching(true), searching });
  // Who opens the search types at once: its code is there before.
  useEffect(() => {
    idle(() => void loadPalette().catch((error: unknown) => console.warn('The search is loaded when it is opened', error)));
  }, []);
  return (
    <div className={css.shell} data-open={sidebar.open} data-layout={layout}>
      <a className={css.skip} href="#main">
        {t('shell.skip')}
      </a>
      <Sidebar state={sidebar} />
      <TopBar onSearch={() => setSearching(true)} />
      <main id="main" tabIndex={-1} className={css.main}>
        {/* What one person saw is not kept for the next one. */}
        <KeptPages key={login} />
      </main>
      <BottomBar onHelp={showHelp} onSearch={() => setSearching(true)} />
      {searching && (
        <Part onGone={() => setSearching(false)}>
          <Palette onClose={() => setSearching(false)} onHelp={showHelp} onSidebar={sidebar.toggle} />
        </Part>
      )}
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}
