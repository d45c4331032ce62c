import { expect, it } from 'vitest';
import { scaleFor } from './scale';

it.each([
  [2560, 1],
  [1920, 1],
  [1440, 0.75],
  [1199, 1199 / 1920],
  [960, 0.5],
  [768, 0.4],
])('a page %i pixels wide is drawn %f times the design', (width, factor) => expect(scaleFor(width)).toBeCloseTo(factor));

it.each([767, 390, 320])('a phone %i pixels wide has a layout of its own', (width) => expect(scaleFor(width)).toBe(1));
