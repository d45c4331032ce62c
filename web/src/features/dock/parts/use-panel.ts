// A panel of the widget: takes the focus when it opens, Escape closes it and gives the focus back.
import { useEffect, useEffectEvent, useRef } from 'react';

export function usePanel(onClose: () => void) {
  const panel = useRef<HTMLElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const before = document.activeElement;
    const element = panel.current;
    (element?.querySelector<HTMLElement>('input, textarea') ?? element)?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      close();
    };
    element?.addEventListener('keydown', onKey);
    return () => {
      element?.removeEventListener('keydown', onKey);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return panel;
}
