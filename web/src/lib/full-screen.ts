// Showing one element on the whole screen, and following when the person leaves.
import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react';

function onChange(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}

/** The element that fills the screen now; not every browser has the property when it can't be done. */
export const fullScreenElement = (): Element | null => document.fullscreenElement ?? null;

export const useFullScreenElement = (): Element | null => useSyncExternalStore(onChange, fullScreenElement);

export function useFullScreen(element: RefObject<HTMLElement | null>) {
  const [on, setOn] = useState(false);
  useEffect(() => onChange(() => setOn(fullScreenElement() !== null && fullScreenElement() === element.current)), [element]);
  return {
    on,
    possible: document.fullscreenEnabled,
    toggle: () => void (on ? document.exitFullscreen() : element.current?.requestFullscreen()),
  };
}
