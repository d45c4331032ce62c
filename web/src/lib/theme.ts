// Light or dark: what the person chose, else what the system says; paper is white.
import { followPaper, paperNow } from './paper';
import { readStored, writeStored } from './storage';
import { createStore, useStore } from './store';

export type Theme = 'light' | 'dark';
const key = 'quarry.theme';

/** The theme in force for a stored choice and the system's wish. */
export function themeFor(stored: string | null, systemDark: boolean): Theme {
  if (stored === 'light' || stored === 'dark') return stored;
  return systemDark ? 'dark' : 'light';
}

const theme = createStore<Theme>('light');

/** Applies the theme to the page and keeps following the system until the person chooses. Call once. */
export function startTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  theme.subscribe(apply);
  const follow = () => theme.set(paperNow() === 'print' ? 'light' : themeFor(readStored(key), system.matches));
  system.addEventListener('change', follow);
  followPaper(follow);
  follow();
  apply();
}

function apply(): void {
  document.documentElement.dataset['theme'] = theme.get();
}

export function toggleTheme(): void {
  const next: Theme = theme.get() === 'dark' ? 'light' : 'dark';
  writeStored(key, next);
  theme.set(next);
}

export function useTheme(): Theme {
  return useStore(theme);
}
