// How much room the page has, in the three steps of the design.
import { useSyncExternalStore } from 'react';

export type Width = 'wide' | 'medium' | 'narrow';

const wide = matchMedia('(width >= 1200px)');
const narrow = matchMedia('(width < 768px)');

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  narrow.addEventListener('change', listener);
  return () => {
    wide.removeEventListener('change', listener);
    narrow.removeEventListener('change', listener);
  };
}

const read = (): Width => (wide.matches ? 'wide' : narrow.matches ? 'narrow' : 'medium');

export const useWidth = (): Width => useSyncExternalStore(subscribe, read);
