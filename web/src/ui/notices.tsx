// Popups at the top right: a failure stays until it is closed, a success leaves by itself.
import { CheckCircle2, CircleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { createStore, useStore } from '@/lib/store';
import css from './notices.module.css';

interface Notice {
  id: number;
  kind: 'error' | 'success';
  text: string;
}

const notices = createStore<Notice[]>([]);
const most = 4;
const successMs = 4000;
let lastId = 0;

function add(kind: Notice['kind'], text: string): void {
  lastId += 1;
  // Ten calls that fail for one reason say it once.
  notices.set((now) => [...now.filter((notice) => notice.text !== text), { id: lastId, kind, text }].slice(-most));
}

export const notify = {
  error: (text: string) => add('error', text),
  success: (text: string) => add('success', text),
};

const remove = (id: number) => notices.set((now) => now.filter((notice) => notice.id !== id));

export function Notices() {
  const shown = useStore(notices);
  return (
    <div className={css.notices}>
      {shown.map((notice) => (
        <NoticeView key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeView({ notice }: { notice: Notice }) {
  const { t } = useTranslation();
  useEffect(() => {
    if (notice.kind === 'error') return;
    const timer = setTimeout(() => remove(notice.id), successMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div className={css.notice} data-kind={notice.kind} role={notice.kind === 'error' ? 'alert' : 'status'}>
      {notice.kind === 'error' ? <CircleAlert size={18} strokeWidth={1.6} /> : <CheckCircle2 size={18} strokeWidth={1.6} />}
      <p>{notice.text}</p>
      <button type="button" aria-label={t('common.close')} onClick={() => remove(notice.id)}>
        <X size={16} strokeWidth={1.6} />
      </button>
    </div>
  );
}
