// Takes what other parts of the page ask the widget for, also what was asked before it was there.
import { requested, type ChatRequest } from '@/live/chats';

let taken = 0;

/** Hears every request once, until told to stop. */
export function chatRequests(listener: (request: ChatRequest) => void): () => void {
  const take = () => {
    const now = requested.get();
    if (!now || now.id <= taken) return;
    taken = now.id;
    listener(now.request);
  };
  take();
  return requested.subscribe(take);
}
