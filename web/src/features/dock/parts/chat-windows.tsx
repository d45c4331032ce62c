// The open chats, side by side from the right; folded ones are chips at the same height above the bottom.
import type { ChatWindow as Window } from '../model/windows';
import { ChatChip, ChatWindow } from './chat-window';
import css from './chat.module.css';

export function ChatWindows({ windows, beside }: { windows: readonly Window[]; beside: boolean }) {
  if (windows.length === 0) return null;
  return (
    <div className={css.windows} data-beside={beside}>
      {windows.map(({ userName, folded }) => (folded ? <ChatChip key={userName} userName={userName} /> : <ChatWindow key={userName} userName={userName} />))}
    </div>
  );
}
