/** Who tries again by keys goes on where the part comes, not at the top of the page: what offered it leaves with the focus. */
import { useLayoutEffect, useRef, type RefObject } from 'react';

/** What is around it, the nearest first, up to the dialog it is in: one that closes gives the focus back by itself. */
function ancestorsOf(element: Element): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let above = element.parentElement; above !== null && above !== document.body; above = above.parentElement) {
    found.push(above);
    if (above.matches('dialog, [role="dialog"]')) break;
  }
  return found;
}

/** Gives the focus to an element that takes none by itself, for as long as it stays there; whether it could. What has no box of its own can't. */
function rest(element: HTMLElement): boolean {
  const taking = element.hasAttribute('tabindex');
  if (!taking) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  const rests = document.activeElement === element;
  if (!taking && rests) element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  else if (!taking) element.removeAttribute('tabindex');
  return rests;
}

/** Remembers what is around an element, as long as it stands there; what is answered gives the focus to the nearest of it that is left, unless something else has it. */
export function placeAround(element: Element): () => void {
  const around = ancestorsOf(element);
  return () => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (lost) around.find((one) => one.isConnected && rest(one));
  };
}

/** For what stands in the place of a part, from its first moment on, and has the focus when it goes: what is around it takes the focus, unless something else has it by then. */
export function useKeepPlace<E extends HTMLElement>(): RefObject<E | null> {
  const place = useRef<E>(null);
  useLayoutEffect(() => {
    const element = place.current;
    return () => {
      // Once what comes in its place stands there.
      if (element?.contains(document.activeElement)) queueMicrotask(placeAround(element));
    };
  }, []);
  return place;
}
