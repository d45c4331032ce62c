import { expect, it } from 'vitest';
import { arranged } from './words';

const word = (spot: readonly [number, number] | null, width = 100) => ({ spot, width, height: 16, above: false });

it('words at the edge of a narrow picture are not cut', () => {
  expect(arranged([word([385, 50]), word([10, 90]), word([200, 130]), word([440, 170])], 390)).toEqual([[286, 50], [4, 90], [150, 130], [286, 170]]);
});

it('what is far outside stays there', () => {
  expect(arranged([word([900, 50])], 390)).toEqual([[850, 50]]);
});

it('words give way to those before them', () => {
  expect(arranged([word([200, 50]), word([210, 55]), word([210, 90]), word(null)], 390).map((place) => place !== null)).toEqual([true, false, true, false]);
});
