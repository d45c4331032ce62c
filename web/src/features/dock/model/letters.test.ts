import { describe, expect, it } from 'vitest';
import { acknowledged, again, emptyThread, historySize, readByOther, undelivered, withNewest, withOlder, withReceived, withSending, withSent } from './letters';

const view = (id: number, from: string) => ({ id, comment: `text ${id}`, commentFrom: from, commentTo: from === 'ada' ? 'bob' : 'ada', commentTime: id, ifRead: id < 3 ? '是' : '否' });
const states = (thread: { letters: readonly { text: string; delivery: string }[] }) => thread.letters.map((letter) => `${letter.text}: ${letter.delivery}`);

describe('a letter on its way', () => {
  const sent = withSending(emptyThread, '1@@@5', 'hi', 5);
  it('waits, is late after a while, and is kept by an acknowledgement at any time', () => {
    expect(states(sent)).toEqual(['hi: sending']);
    expect(states(undelivered(sent, '1@@@5'))).toEqual(['hi: late']);
    expect(states(acknowledged(undelivered(sent, '1@@@5', 'no'), '1@@@5'))).toEqual(['hi: kept']);
    expect(acknowledged(undelivered(sent, '1@@@5', 'no'), '1@@@5').letters[0]?.problem).toBeUndefined();
  });
  it('is not late once it is kept', () => expect(states(undelivered(acknowledged(sent, '1@@@5'), '1@@@5'))).toEqual(['hi: kept']));
  it('can be sent again', () => expect(states(again(undelivered(sent, '1@@@5'), '1@@@5'))).toEqual(['hi: sending']));
  it('is not shown twice when the server tells it back', () => {
    const heard = withSent(sent, 'hi', 9);
    expect(heard.letters.map((letter) => [letter.key, letter.time])).toEqual([['1@@@5', 9]]);
    expect(states(withSent(heard, 'hi', 10))).toEqual(['hi: kept', 'hi: kept']);
  });
  it('leaves the letters of others alone', () => expect(acknowledged(sent, 'other')).toBe(sent));
});

describe('history', () => {
  it('comes in pages, older ones before', () => {
    const page = Array.from({ length: historySize }, (_, index) => view(index + 11, 'bob'));
    const newest = withNewest(emptyThread, page, 'ada');
    expect([newest.oldest, newest.whole]).toEqual([11, false]);
    const all = withOlder(newest, [view(9, 'ada'), view(10, 'bob')], 'ada');
    expect([all.oldest, all.whole, all.letters.length]).toEqual([9, true, historySize + 2]);
    expect(all.letters.slice(0, 2).map((letter) => letter.mine)).toEqual([true, false]);
  });
  it('keeps what is still on its way when it is loaded again', () => {
    const thread = withSending(withReceived(emptyThread, 'text 1', 1), 'k', 'mine', 2);
    expect(states(withNewest(thread, [view(1, 'bob')], 'ada'))).toEqual(['text 1: kept', 'mine: sending']);
  });
  it('keeps what was sent after it was asked for, and shows nothing twice', () => {
    const two = acknowledged(withSending(withSending(emptyThread, 'a@@@1', 'hi', 1), 'b@@@2', 'hi', 2), 'a@@@1');
    expect(states(withNewest(two, [], 'ada'))).toEqual(['hi: kept', 'hi: sending']);
    expect(states(withNewest(two, [{ ...view(7, 'ada'), comment: 'hi' }], 'ada'))).toEqual(['hi: kept', 'hi: sending']);
    expect(states(withNewest(two, [view(100_000, 'bob')], 'ada'))).toEqual(['text 100000: kept', 'hi: sending']);
  });
  it('shows nothing twice that it had before the news of it came', () => {
    const sending = withSending(emptyThread, 'k', 'text 2', 2);
    const thread = withNewest(sending, [view(1, 'bob'), view(2, 'ada')], 'ada');
    expect(states(withSent(withReceived(thread, 'text 1', 1), 'text 2', 2))).toEqual(['text 1: kept', 'text 2: kept']);
    expect(states(withSent(withReceived(thread, 'text 1', 3), 'text 2', 4))).toEqual(['text 1: kept', 'text 2: kept', 'text 1: kept', 'text 2: kept']);
  });
  it('says what the other person has read', () => {
    const thread = withNewest(emptyThread, [view(2, 'ada'), view(3, 'ada')], 'ada');
    expect(thread.letters.map((letter) => letter.read)).toEqual([true, false]);
    expect(readByOther(thread).letters.map((letter) => letter.read)).toEqual([true, true]);
  });
});
