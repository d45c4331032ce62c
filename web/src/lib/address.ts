// Addresses of the chain as people write them.

/** Whether the text is a whole address, in small or capital letters. */
export const isAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text);
