// Texts that load with the pages that show them, one file a language each; what every page has is in `en/index.ts`.
// A new bundle is a line here, a file in `en/` and one in `zh/`, and its name at the routes that need it.
import type { Bundle, BundleTexts, Language } from './texts';

type Loader<B extends Bundle> = () => Promise<{ default: BundleTexts<B> }>;

export const bundles: { [B in Bundle]: Record<Language, Loader<B>> } = {
  account: { en: () => import('./en/account'), zh: () => import('./zh/account') },
  community: { en: () => import('./en/community'), zh: () => import('./zh/community') },
  charts: { en: () => import('./en/charts'), zh: () => import('./zh/charts') },
  dashboards: { en: () => import('./en/dashboards'), zh: () => import('./zh/dashboards') },
  official: { en: () => import('./en/official'), zh: () => import('./zh/official') },
  share: { en: () => import('./en/share'), zh: () => import('./zh/share') },
  palette: { en: () => import('./en/palette'), zh: () => import('./zh/palette') },
  decoder: { en: () => import('./en/decoder'), zh: () => import('./zh/decoder') },
  editors: { en: () => import('./en/editors'), zh: () => import('./zh/editors') },
  models: { en: () => import('./en/models'), zh: () => import('./zh/models') },
  ranking: { en: () => import('./en/ranking'), zh: () => import('./zh/ranking') },
  papers: { en: () => import('./en/papers'), zh: () => import('./zh/papers') },
  unpublished: { en: () => import('./en/unpublished'), zh: () => import('./zh/unpublished') },
  assistant: { en: () => import('./en/assistant'), zh: () => import('./zh/assistant') },
  docs: { en: () => import('./en/docs'), zh: () => import('./zh/docs') },
  dock: { en: () => import('./en/dock'), zh: () => import('./zh/dock') },
  system: { en: () => import('./en/system'), zh: () => import('./zh/system') },
};
