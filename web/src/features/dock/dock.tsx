// The floating widget: private chats, feedback, and how far a long query is. Loaded after the page it floats over.
import { Activity, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { chatRequests } from './model/requests';
import { chats, followChats, loadContacts, openWindow, setInSight } from './model/chats';
import { forgetFeedback } from './model/feedback';
import { useBadge } from './model/use-badge';
import { useStore } from '@/lib/store';
import { paths } from '@/lib/paths';
import { ChatList } from './parts/chat-list';
import { ChatWindows } from './parts/chat-windows';
import { DockTab } from './parts/dock-tab';
import { FeedbackForm } from './parts/feedback-form';
import { Announcements } from './parts/announcements';

export type Panel = 'chats' | 'feedback' | null;

/** `hidden`: this page shows no widget. Letters are followed all the same, and drafts are there again afterwards. */
export function Dock({ hidden }: { hidden: boolean }) {
  const navigate = useNavigate();
  const [panel, setPanel] = useState<Panel>(null);
  const [badge, dismissBadge] = useBadge();
  const { windows } = useStore(chats);
  useEffect(followChats, []);
  // It belongs to the person that wrote it.
  useEffect(() => forgetFeedback, []);
  useEffect(() => {
    const look = () => setInSight(!hidden && document.visibilityState === 'visible');
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [hidden]);
  usePresence(!hidden && (panel === 'chats' || windows.length > 0));
  useEffect(
    () =>
      chatRequests((request) => {
        if (request.kind === 'chat') openWindow(request.userName);
        else setPanel(request.kind === 'list' ? 'chats' : 'feedback');
      }),
    [],
  );

  const toggle = (next: Exclude<Panel, null>) => setPanel(panel === next ? null : next);
  const openJobs = () => {
    if (!badge) return;
    dismissBadge();
    void navigate(`${paths.jobs}?type=${badge.kind === 'HIVE' ? 'hive' : 'mr'}`);
  };
  return (
    <>
      <Activity mode={hidden ? 'hidden' : 'visible'}>
        <DockTab panel={panel} badge={badge} onChats={() => toggle('chats')} onFeedback={badge ? openJobs : () => toggle('feedback')} />
        {panel === 'chats' && (
          <ChatList
            onClose={() => setPanel(null)}
            onOpen={(userName) => {
              openWindow(userName);
              // On a small screen the chat takes the place of the list.
              if (matchMedia('(width < 768px)').matches) setPanel(null);
            }}
          />
        )}
        {panel === 'feedback' && <FeedbackForm onClose={() => setPanel((now) => (now === 'feedback' ? null : now))} />}
        <ChatWindows windows={windows} beside={panel !== null} />
      </Activity>
      <Announcements />
    </>
  );
}

/** Milliseconds after which the list is asked again: nobody is told who comes and goes. */
const presenceMs = 30_000;

/** Keeps the dots that say who is online true, while somebody sees them. */
function usePresence(seen: boolean) {
  useEffect(() => {
    if (!seen) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') loadContacts().catch((error: unknown) => console.warn('Who is online could not be asked for', error));
    }, presenceMs);
    return () => clearInterval(timer);
  }, [seen]);
}
