/** What a place around a figure may offer of it: buttons for what works now, none for what does nothing. */
import { useCallback, useRef, useState, type RefCallback } from 'react';
import type { FigureActions, FigureFormat } from './frame';

interface Offered {
  /** For the frame, or whoever else tells what can be done. */
  readonly ref: RefCallback<FigureActions>;
  /** None while nothing is drawn. */
  readonly formats: readonly FigureFormat[];
  readonly save: (format: FigureFormat) => void;
}

const none: readonly FigureFormat[] = [];

export function useFigureActions(): Offered {
  const current = useRef<FigureActions | null>(null);
  const [formats, setFormats] = useState(none);
  const ref = useCallback((actions: FigureActions | null) => {
    current.current = actions;
    setFormats(actions?.formats ?? none);
  }, []);
  const save = useCallback((format: FigureFormat) => current.current?.save(format), []);
  return { ref, formats, save };
}
