// Popups at the top right: a failure stays until it is closed, a success leaves by itself.
import { CheckCircle2, CircleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { createStore, useStore } from '@/lib/store';
import { OnTop } from './on-top';
import css from './notices.module.css';

interface Notice {
  id: number;
  kind: 'error' | 'success';
  text: string;
  undo?: Undo;
}

/** A way back. */
interface Undo {
  back: () => void;
  /** Called when the notice has left and nobody went back; resolves when that is done, and never rejects. */
  gone?: () => Promise<unknown>;
}

const notices = createStore<Notice[]>([]);
const most = 4;
const successMs = 4000;
/** Longer: somebody has to see it, decide, and press. */
const undoMs = 8000;
let lastId = 0;

function add(kind: Notice['kind'], text: string, undo?: Undo): void {
  lastId += 1;
  const notice: Notice = undo ? { id: lastId, kind, text, undo } : { id: lastId, kind, text };
  // Ten calls that fail for one reason say it once; each way back is its own.
  const others = notices.get().filter((one) => one.undo !== undefined || one.text !== text);
  for (const pushed of others.slice(0, Math.max(0, others.length + 1 - most))) void pushed.undo?.gone?.();
  notices.set([...others, notice].slice(-most));
}

export const notify = {
  error: (text: string) => add('error', text),
  success: (text: string) => add('success', text),
  /** Says what was done and offers the way back. */
  undo: (text: string, back: () => void, gone?: Undo['gone']) => add('success', text, gone ? { back, gone } : { back }),
};

function remove({ id, undo }: Notice, back = false): void {
  if (!notices.get().some((notice) => notice.id === id)) return;
  notices.set((now) => now.filter((notice) => notice.id !== id));
  if (back) undo?.back();
  else void undo?.gone?.();
}

/** Who leaves takes nothing back any more: what waits for its notice is done before. */
export async function settleNotices(): Promise<void> {
  const waiting = notices.get().filter(({ undo }) => undo !== undefined);
  notices.set((now) => now.filter(({ undo }) => undo === undefined));
  await Promise.all(waiting.flatMap(({ undo }) => undo?.gone?.() ?? []));
}

export function Notices() {
  const shown = useStore(notices);
  return (
    <OnTop>
      <div className={css.notices}>
        {shown.map((notice) => (
          <NoticeView key={notice.id} notice={notice} />
        ))}
      </div>
    </OnTop>
  );
}

function NoticeView({ notice }: { notice: Notice }) {
  const { t } = useTranslation();
  useEffect(() => {
    if (notice.kind === 'error') return;
    const timer = setTimeout(() => remove(notice), notice.undo ? undoMs : successMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div className={css.notice} data-kind={notice.kind} role={notice.kind === 'error' ? 'alert' : 'status'}>
      {notice.kind === 'error' ? <CircleAlert size={18} strokeWidth={1.6} /> : <CheckCircle2 size={18} strokeWidth={1.6} />}
      <p>{notice.text}</p>
      {notice.undo && (
        <button type="button" className={css.undo} onClick={() => remove(notice, true)}>
          {t('common.undo')}
        </button>
      )}
      <button type="button" aria-label={t('common.close')} onClick={() => remove(notice)}>
        <X size={16} strokeWidth={1.6} />
      </button>
    </div>
  );
}
