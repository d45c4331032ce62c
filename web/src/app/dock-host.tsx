// The floating widget's place: it loads once a person is signed in and the page has nothing else to do.
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { loadTexts } from '@/i18n';
import { useSession } from '@/lib/session';
import { hiddenOn } from '@/features/dock/model/place';
import { lazyPart, Part } from '@/ui/part';

const Dock = lazyPart(async () => {
  const [module] = await Promise.all([import('@/features/dock/dock'), loadTexts('dock')]);
  return { default: module.Dock };
});

/** Milliseconds after which it loads however busy the page is. */
const longestWait = 3_000;

export function DockHost() {
  const { account } = useSession();
  const { pathname } = useLocation();
  const [quiet, setQuiet] = useState(false);
  useEffect(() => {
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(() => setQuiet(true), longestWait);
      return () => clearTimeout(timer);
    }
    const waiting = requestIdleCallback(() => setQuiet(true), { timeout: longestWait });
    return () => cancelIdleCallback(waiting);
  }, []);
  if (account === null || !quiet) return null;
  return (
    <Part quiet of={[pathname]}>
      <Dock key={account.id} hidden={hiddenOn(pathname)} />
    </Part>
  );
}
