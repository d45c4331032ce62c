// The chat windows that are open: up to three, the newest in front.

export interface ChatWindow {
  userName: string;
  folded: boolean;
}

export const mostWindows = 3;

/** Opens a chat or unfolds it; the window that was used longest ago gives way to a fourth. */
export function opened(windows: readonly ChatWindow[], userName: string): ChatWindow[] {
  const others = windows.filter((window) => window.userName !== userName);
  return [...others, { userName, folded: false }].slice(-mostWindows);
}

export const folded = (windows: readonly ChatWindow[], userName: string): ChatWindow[] => windows.map((window) => (window.userName === userName ? { ...window, folded: true } : window));

export const closed = (windows: readonly ChatWindow[], userName: string): ChatWindow[] => windows.filter((window) => window.userName !== userName);

/** Whether the window of a person shows their letters. */
export const isOpen = (windows: readonly ChatWindow[], userName: string): boolean => windows.some((window) => window.userName === userName && !window.folded);
