// Languages: English and Chinese, each loaded as one file when it is first shown; keys are typed after the English texts.
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readStored, writeStored } from '@/lib/storage';
import { createStore, useStore } from '@/lib/store';
import { bundles } from './bundles';
import type { Bundle, Language, PageTexts, Texts } from './texts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Texts };
    returnNull: false;
  }
}

export type { Bundle, Language } from './texts';
const key = 'quarry.language';

const texts: Record<Language, () => Promise<{ default: PageTexts }>> = {
  en: () => import('./en'),
  zh: () => import('./zh'),
};

const loaded = new Set<Bundle>();

/** Fulfilled once there are texts to add to. */
let started: Promise<unknown> = Promise.resolve();

const language = createStore<Language>('en');

export const useLanguage = (): Language => useStore(language);
export const getLanguage = (): Language => language.get();

/** Loads the stored language (English when none is stored) before the first page is drawn. Call once. */
export async function startLanguage(): Promise<void> {
  const stored = readStored(key);
  const first: Language = stored === 'zh' ? 'zh' : 'en';
  language.set(first);
  started = texts[first]().then(({ default: translation }) =>
    i18next.use(initReactI18next).init({
      lng: first,
      resources: { [first]: { translation } },
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
    }),
  );
  await started;
  show(first);
}

/** Loads texts for the pages that show them; from then on they follow the language too. */
export async function loadTexts(...names: Bundle[]): Promise<void> {
  for (const name of names) loaded.add(name);
  await addBundles(names, language.get());
}

async function addBundles(names: Iterable<Bundle>, next: Language): Promise<void> {
  await Promise.all(
    Array.from(names, async (name) => {
      const [{ default: added }] = await Promise.all([bundles[name][next](), started]);
      i18next.addResourceBundle(next, 'translation', added, true);
    }),
  );
}

export async function setLanguage(next: Language): Promise<void> {
  if (!i18next.hasResourceBundle(next, 'translation')) {
    i18next.addResourceBundle(next, 'translation', (await texts[next]()).default);
  }
  await addBundles(loaded, next);
  await i18next.changeLanguage(next);
  writeStored(key, next);
  show(next);
}

function show(next: Language): void {
  document.documentElement.lang = next;
  language.set(next);
}

/** The sentence for an error's code, or nothing when the code has none of its own. */
export function errorText(code: string): string | undefined {
  const text: unknown = i18next.getResource(language.get(), 'translation', `errors.${code}`);
  return typeof text === 'string' ? text : undefined;
}

/** What stands before the server's own sentence about an error of this code; nothing in the server's language. */
export function errorLead(code: string): string | undefined {
  return errorText(`lead.${code}`);
}
