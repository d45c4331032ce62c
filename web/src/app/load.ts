// Loading a page's code: it fails after two minutes instead of waiting for ever.
import { type Bundle, loadTexts } from '@/i18n';

const timeoutMs = 120_000;

export class LoadTimeout extends Error {
  override name = 'LoadTimeout';
}

/** Wraps an `import()` of a page for the router; the texts that only some pages need come with it. */
export function page<T>(load: () => Promise<T>, ...texts: Bundle[]): () => Promise<T> {
  return () =>
    new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => reject(new LoadTimeout('The page did not load in time.')), timeoutMs);
      Promise.all([load(), loadTexts(...texts)])
        .then(([module]) => resolve(module), reject)
        .finally(() => clearTimeout(timer));
    });
}

/** Whether an error says that a page's code is not there: usually because a newer version replaced it. */
export function isLoadFailure(error: unknown): boolean {
  if (error instanceof LoadTimeout) return true;
  return error instanceof Error && /dynamically imported module|importing a module script|unable to preload css/i.test(error.message);
}
