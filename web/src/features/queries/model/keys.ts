/** How the keys to run are called on this machine. */
export const runKeys: string = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘↵' : 'Ctrl ↵';
