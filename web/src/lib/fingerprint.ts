// What this browser calls itself in tracking events: a random name, made once, that says nothing about the person.
import { readStored, writeStored } from './storage';

const key = 'quarry.fingerprint';
let own: string | undefined;

export function fingerprint(): string {
  own ??= readStored(key) ?? made();
  return own;
}

function made(): string {
  const name = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  writeStored(key, name);
  return name;
}
