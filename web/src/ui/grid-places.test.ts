import { expect, it } from 'vitest';
import { leavePlace, MOST_PLACES, placeOf } from './grid-places';

const at = (row: number) => ({ row, formats: {}, sort: null });

it('a result is found again where it was left last', () => {
  leavePlace('job-1', at(40));
  leavePlace('job-1', at(900));
  expect(placeOf('job-1')?.row).toBe(900);
  expect(placeOf('job-2')).toBeUndefined();
});

it('places left longest ago are forgotten, those left again are not', () => {
  leavePlace('first', at(1));
  leavePlace('second', at(2));
  for (let other = 0; other < MOST_PLACES - 2; other += 1) leavePlace(`other-${other}`, at(other));
  leavePlace('first', at(3));
  leavePlace('last', at(4));
  expect(placeOf('first')?.row).toBe(3);
  expect(placeOf('second')).toBeUndefined();
});
