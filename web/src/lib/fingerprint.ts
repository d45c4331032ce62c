// What this browser calls itself in tracking events: a random name, made once, that says nothing about the person.
import { randomHex } from './random';
import { readStored, writeStored } from './storage';

const key = 'quarry.fingerprint';
let own: string | undefined;

export function fingerprint(): string {
  own ??= readStored(key) ?? made();
  return own;
}

function made(): string {
  const name = randomHex(16);
  writeStored(key, name);
  return name;
}
