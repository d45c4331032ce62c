// Whether charts lay patterns over their colours: a setting for readers who don't tell colours apart.
import { readStored, writeStored } from './storage';
import { createStore, useStore } from './store';

const key = 'quarry.patterns';
const patterns = createStore(readStored(key) === 'on');

export const usePatterns = (): boolean => useStore(patterns);

export function setPatterns(on: boolean): void {
  writeStored(key, on ? 'on' : null);
  patterns.set(on);
}
