// The keys that work everywhere: go to a page, new query, sidebar, help.
import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router';
import { isFree, shortcutReader, type Shortcuts } from '@/lib/shortcuts';
import { creates, nav } from './nav';

/** While somebody is `searching`, keys are words, even before the field is there. */
export function useShellKeys(actions: { toggleSidebar: () => void; showHelp: () => void; search: () => void; searching: boolean }): void {
  const navigate = useNavigate();
  const shortcuts = useRef<Shortcuts>({});
  const search = useEffectEvent(actions.search);
  useEffect(() => {
    shortcuts.current = actions.searching ? {} : {
      '[': actions.toggleSidebar,
      '?': actions.showHelp,
      ...Object.fromEntries(creates.map((entry) => [`n ${entry.key}`, () => void navigate(entry.to)])),
      ...Object.fromEntries(nav.flatMap((entry) => (entry.key === undefined ? [] : [[`g ${entry.key}`, () => void navigate(entry.to)]]))),
    };
  });
  useEffect(() => {
    const read = shortcutReader(() => shortcuts.current);
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        search();
        return;
      }
      if (!isFree(event)) return;
      const run = read(event.key, event.timeStamp);
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
