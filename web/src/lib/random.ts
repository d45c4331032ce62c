/** Random names. `crypto.randomUUID` exists on https and localhost alone, and Quarry is also reached over plain http. */

/** That many random bytes as hexadecimal digits. */
export const randomHex = (bytes: number): string => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
