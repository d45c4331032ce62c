// Loading a page's code: it fails after two minutes instead of waiting for ever.
import { loadChartTexts } from '@/i18n';

const timeoutMs = 120_000;

export class LoadTimeout extends Error {
  override name = 'LoadTimeout';
}

/** Wraps an `import()` of a page for the router. */
export function page<T>(load: () => Promise<T>): () => Promise<T> {
  return () =>
    new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => reject(new LoadTimeout('The page did not load in time.')), timeoutMs);
      load()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
}

/** Wraps an `import()` of a page that shows charts: their texts come with it. */
export function chartPage<T>(load: () => Promise<T>): () => Promise<T> {
  return page(async () => (await Promise.all([load(), loadChartTexts()]))[0]);
}

/** Whether an error says that a page's code is not there: usually because a newer version replaced it. */
export function isLoadFailure(error: unknown): boolean {
  if (error instanceof LoadTimeout) return true;
  return error instanceof Error && /dynamically imported module|importing a module script|unable to preload css/i.test(error.message);
}
