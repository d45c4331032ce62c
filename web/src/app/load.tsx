// Loading a page's code: it fails after two minutes instead of waiting for ever, and can be asked for again.
import type { ReactNode } from 'react';
import { type Bundle, loadTexts } from '@/i18n';
import { inTime, loadStylesAgain, LoadTimeout } from '@/lib/loading';
import { lazyPart, Part } from '@/ui/part';
import css from './app.module.css';

interface PageModule {
  Component: () => ReactNode;
}

/** Code, and the texts that only some pages need. */
const withTexts = <T,>(load: () => Promise<T>, texts: Bundle[]): Promise<T> => inTime(async () => (await Promise.all([load(), loadTexts(...texts)]))[0]);

/** Wraps an `import()` of a page for the router, which never asks twice: what could not be loaded is asked for again by what stands in the page's place. */
export function page(load: () => Promise<PageModule>, ...texts: Bundle[]): () => Promise<PageModule> {
  const loaded = () => withTexts(load, texts);
  return () =>
    loaded().catch((error: unknown) => {
      console.warn('The page could not be loaded', error);
      return { Component: latePage(loaded, error) };
    });
}

function latePage(load: () => Promise<PageModule>, failure: unknown): () => ReactNode {
  // Who has waited for two minutes is told so; what failed at once is tried once more.
  let told = !(failure instanceof LoadTimeout);
  const Page = lazyPart(async () => {
    if (!told) {
      told = true;
      throw failure;
    }
    // It has been tried once by then.
    await loadStylesAgain();
    return { default: (await load()).Component };
  });
  return function LatePage() {
    return (
      <Part page waiting={<div className={css.pending} />}>
        <Page />
      </Part>
    );
  };
}
