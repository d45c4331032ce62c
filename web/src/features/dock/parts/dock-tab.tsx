// The widget's own body at the edge of the window: a handle, messages, feedback or the ring of a long query.
import { GripHorizontal, MessageCircle, MessageSquarePlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { unread as unreadStore } from '@/live/chats';
import { dockSlot } from '@/lib/dock-slot';
import { readStored, writeStored } from '@/lib/storage';
import { useStore } from '@/lib/store';
import type { Panel } from '../dock';
import { dropped, inside, moved as movedBy, placeText, readPlace, type Place, type Room } from '../model/place';
import type { Badge } from '../model/use-badge';
import css from './dock.module.css';

const key = 'quarry.dock';

interface DockTabProps {
  panel: Panel;
  badge: Badge | null;
  onChats: () => void;
  onFeedback: () => void;
}

export function DockTab({ panel, badge, onChats, onFeedback }: DockTabProps) {
  const { t } = useTranslation();
  const unread = useStore(unreadStore);
  const tab = useRef<HTMLElement>(null);
  const [place, setPlace] = useState(() => readPlace(readStored(key)));
  const [moved, setMoved] = useState(() => readStored(key) !== null);
  const slot = useStore(dockSlot);
  const [dragged, setDragged] = useState<{ x: number; y: number } | null>(null);

  const room = (): Room => ({
    width: innerWidth,
    height: innerHeight,
    top: parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--topbar')) || 56,
    own: tab.current?.offsetHeight ?? 0,
  });
  const keep = (next: Place) => {
    setPlace(next);
    setMoved(true);
    writeStored(key, placeText(next));
  };
  useEffect(() => {
    const fit = () => setPlace((now) => inside(now, room()));
    fit();
    addEventListener('resize', fit);
    return () => removeEventListener('resize', fit);
  }, []);

  const label = badge ? t('dock.progress', { kind: badge.kind, percent: badge.percent }) : t('dock.feedback');
  // Until somebody moves it, it stands where the page has a place for it.
  const low = slot !== null && !moved;
  const body = (
    <aside
      ref={tab}
      className={css.tab}
      data-side={place.side}
      data-low={low && dragged === null}
      data-dragged={dragged !== null}
      aria-label={t('dock.title')}
      style={dragged ? { left: dragged.x, top: dragged.y, bottom: 'auto', right: 'auto' } : low ? undefined : { bottom: place.bottom }}
    >
      <button
        type="button"
        className={css.handle}
        aria-label={t('dock.move')}
        title={t('dock.move')}
        onKeyDown={(event) => {
          const next = movedBy(place, event.key, event.altKey, room());
          if (!next) return;
          event.preventDefault();
          keep(next);
        }}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
          setDragged({ x: event.clientX - 18, y: Math.max(room().top, event.clientY - 10) });
        }}
        onPointerUp={(event) => {
          if (dragged) keep(dropped(event.clientX, dragged.y + room().own / 2, room()));
          setDragged(null);
        }}
        onPointerCancel={() => setDragged(null)}
      >
        <GripHorizontal size={16} strokeWidth={1.6} aria-hidden />
      </button>
      <button type="button" className={css.tool} aria-pressed={panel === 'chats'} aria-label={t(unread ? 'dock.messagesUnread' : 'dock.messages')} title={t('dock.messages')} onClick={onChats}>
        <MessageCircle size={18} strokeWidth={1.6} aria-hidden />
        {unread && <span className={css.dot} />}
      </button>
      <button type="button" className={css.tool} aria-pressed={panel === 'feedback'} aria-label={label} title={label} onClick={onFeedback}>
        {badge ? <Ring percent={badge.percent} /> : <MessageSquarePlus size={18} strokeWidth={1.6} aria-hidden />}
      </button>
    </aside>
  );
  return low ? createPortal(body, slot) : body;
}

const radius = 11;
const around = 2 * Math.PI * radius;

function Ring({ percent }: { percent: number }) {
  return (
    <svg width="26" height="26" viewBox="0 0 26 26" className={css.ring} aria-hidden>
      <circle cx="13" cy="13" r={radius} />
      <circle cx="13" cy="13" r={radius} data-done strokeDasharray={`${(around * percent) / 100} ${around}`} transform="rotate(-90 13 13)" />
      <text x="13" y="16.5" textAnchor="middle">
        {percent}
      </text>
    </svg>
  );
}
