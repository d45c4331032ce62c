import { describe, expect, it } from 'vitest';
import { dropped, firstPlace, hiddenOn, inside, moved, placeText, readPlace } from './place';

const room = { width: 1000, height: 800, top: 50, own: 100 };

describe('the place of the widget', () => {
  it('stays inside the window and below the top bar', () => {
    expect(inside({ side: 'left', bottom: -5 }, room).bottom).toBe(0);
    expect(inside({ side: 'left', bottom: 900 }, room).bottom).toBe(650);
    expect(inside({ side: 'left', bottom: 10 }, { ...room, height: 60 }).bottom).toBe(0);
  });
  it('snaps to the nearer side', () => {
    expect(dropped(400, 650, room)).toEqual({ side: 'left', bottom: 100 });
    expect(dropped(501, 10, room)).toEqual({ side: 'right', bottom: 650 });
  });
  it('moves by arrow keys', () => {
    expect(moved(firstPlace, 'ArrowUp', false, room)).toEqual({ side: 'right', bottom: 122 });
    expect(moved(firstPlace, 'ArrowDown', true, room)).toEqual({ side: 'right', bottom: 105 });
    expect(moved(firstPlace, 'ArrowLeft', false, room)?.side).toBe('left');
    expect(moved(firstPlace, 'Enter', false, room)).toBeNull();
  });
  it('is remembered', () => {
    expect(readPlace(placeText({ side: 'left', bottom: 7 }))).toEqual({ side: 'left', bottom: 7 });
    expect(readPlace('up -3')).toEqual(firstPlace);
    expect(readPlace(null)).toEqual(firstPlace);
  });
});

it('is hidden where the specification says', () => {
  for (const path of ['/', '/start', '/system', '/system/user', '/whitePage/preview', '/developer-apis/change-log/', '/visualization_model/overview', '/embed/dashboard', '/embed/visualization']) expect(hiddenOn(path), path).toBe(true);
  for (const path of ['/home', '/user/query', '/auth/reset', '/auth/forget', '/platform/FAQ', '/developer-apis/info/limit', '/DeFi/paper', '/systems']) expect(hiddenOn(path), path).toBe(false);
});
