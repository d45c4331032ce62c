// Loading a page's code: it fails after two minutes instead of waiting for ever, and can be asked for again.
import type { ReactNode } from 'react';
import { type Bundle, loadTexts } from '@/i18n';
import { loadStylesAgain, LoadTimeout } from '@/lib/loading';
import { lazyPart, Part } from '@/ui/part';
import css from './app.module.css';

const timeoutMs = 120_000;

interface PageModule {
  Component: () => ReactNode;
}

/** Wraps an `import()`; the texts that only some pages need come with it. */
export function inTime<T>(load: () => Promise<T>, ...texts: Bundle[]): () => Promise<T> {
  return () =>
    new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => reject(new LoadTimeout('The page did not load in time.')), timeoutMs);
      Promise.all([load(), loadTexts(...texts)])
        .then(([module]) => resolve(module), reject)
        .finally(() => clearTimeout(timer));
    });
}

/** Wraps an `import()` of a page for the router, which never asks twice: what could not be loaded is asked for again by what stands in the page's place. */
export function page(load: () => Promise<PageModule>, ...texts: Bundle[]): () => Promise<PageModule> {
  const loaded = inTime(load, ...texts);
  return () =>
    loaded().catch((error: unknown) => {
      console.warn('The page could not be loaded', error);
      return { Component: latePage(loaded) };
    });
}

function latePage(load: () => Promise<PageModule>): () => ReactNode {
  const Page = lazyPart(async () => {
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
