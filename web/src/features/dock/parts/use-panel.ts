// A panel of the widget: takes the focus when it opens, Escape closes it and gives the focus back.
import { useEffect, useEffectEvent, useRef } from 'react';

export function usePanel(onClose: () => void) {
  const panel = useRef<HTMLElement>(null);
  /** What had the focus when it opened; a page without the widget only hides it, and it takes no focus when it is back. */
  const opener = useRef<Element | null>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const element = panel.current;
    if (opener.current === null) {
      opener.current = document.activeElement;
      (element?.querySelector<HTMLElement>('input, textarea') ?? element)?.focus();
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
      event.preventDefault();
      close();
    };
    element?.addEventListener('keydown', onKey);
    return () => {
      element?.removeEventListener('keydown', onKey);
      const { activeElement } = document;
      const inside = element?.contains(activeElement) === true;
      // Whoever goes on elsewhere by then is left there.
      const lost = inside || activeElement === null || activeElement === document.body;
      if (lost && opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
      if (inside) opener.current = null;
    };
  }, []);
  return panel;
}
