/** The draft of this window: every change is kept on this device shortly after it is made, and at the latest when the page goes. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { forgetDraft, keepDraft, setWindowDraft, type Draft } from './drafts';

const keepAfterMs = 300;

export interface DraftStore {
  draft: Draft;
  update: (change: Partial<Draft>) => void;
  /** Puts another draft in its place; the present one stays on this device. */
  open: (draft: Draft) => void;
  forget: (id: string) => void;
}

export function useDraft(first: Draft): DraftStore {
  const [draft, setDraft] = useState(first);
  const latest = useRef(first);
  /** The last state that was kept; an untouched draft is not worth keeping. */
  const kept = useRef(first);

  const flush = useCallback(() => {
    if (kept.current === latest.current) return;
    kept.current = latest.current;
    keepDraft(latest.current);
  }, []);

  useEffect(() => {
    latest.current = draft;
    setWindowDraft(draft.id);
    const timer = setTimeout(flush, keepAfterMs);
    return () => clearTimeout(timer);
  }, [draft, flush]);

  useEffect(() => {
    addEventListener('pagehide', flush);
    return () => {
      removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);

  const update = useCallback((change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change, changed: Date.now() })), []);
  const open = useCallback(
    (next: Draft) => {
      flush();
      kept.current = next;
      setDraft(next);
    },
    [flush],
  );
  return { draft, update, open, forget: forgetDraft };
}
