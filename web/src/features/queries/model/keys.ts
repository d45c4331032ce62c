/** How keys are called on this machine. */
const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export const runKeys: string = mac ? '⌘↵' : 'Ctrl ↵';
export const saveKeys: string = mac ? '⌘S' : 'Ctrl S';
