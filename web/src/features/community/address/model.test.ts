import { expect, it } from 'vitest';
import { bars } from './model';

it('shows every day between the first and the last, the oldest first, on one scale', () => {
  const drawn = bars([
    { day: '2026-03-01', sent: 2, received: 8 },
    { day: '2026-02-27', sent: 4, received: 0 },
  ]);
  expect(drawn.map(({ day }) => day)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  expect(drawn[0]).toMatchObject({ sentShare: 0.5, receivedShare: 0 });
  expect(drawn[1]).toMatchObject({ sent: 0, received: 0 });
  expect(drawn[2]).toMatchObject({ sentShare: 0.25, receivedShare: 1 });
});

it('has nothing to show for an address that did nothing', () => expect(bars([])).toEqual([]));
