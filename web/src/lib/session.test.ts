// @vitest-environment jsdom
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearSession, getSession, holds, mayManage, renewSession, setAccount, signIn, startSession, type Account } from './session';

const of = (...permissions: string[]): Account => ({ id: '1', name: 'ada', avatar: null, role: 'desk', permissions });

it('only a permission that opens a page of the back office leads there', () => {
  expect(mayManage(of('system.official', 'system.platformMessage'))).toBe(false);
  expect(mayManage(of('system.official', 'system.feedback'))).toBe(true);
  expect(mayManage(null)).toBe(false);
  expect(holds(of('system.feedback'), 'system.whitePaper')).toBe(false);
});

describe('a login made in another tab', () => {
  const ada: Account = { id: '7', name: 'ada', avatar: null, role: 'ROLE_DEFAULT', permissions: [] };
  const bob: Account = { ...ada, id: '8', name: 'bob' };
  const ownerOf = vi.fn<(token: string) => Promise<Account>>();
  let login: string | null;

  /** What the other tab leaves in the storage that both share. */
  const elsewhere = (token: string | null) => {
    if (token === null) localStorage.removeItem('Admin-Token');
    else localStorage.setItem('Admin-Token', token);
    dispatchEvent(new StorageEvent('storage', { key: 'Admin-Token' }));
  };

  beforeAll(() => startSession(ownerOf));
  beforeEach(() => {
    signIn('old');
    setAccount(ada);
    ({ login } = getSession());
  });
  afterEach(() => {
    clearSession();
    ownerOf.mockReset();
  });

  it('goes on where the same person is', async () => {
    ownerOf.mockResolvedValue({ ...ada, permissions: ['system.feedback'] });
    elsewhere('new');
    await vi.waitFor(() => expect(getSession().token).toBe('new'));
    expect(getSession()).toMatchObject({ login, account: { name: 'ada', permissions: ['system.feedback'] } });
    expect(ownerOf).toHaveBeenCalledWith('new');
  });

  it.each([
    ['somebody else', () => Promise.resolve(bob)],
    ['nobody the server can name', () => Promise.reject(new Error('not there'))],
  ])('of %s gets nothing of what stands on the page', async (_, answer) => {
    ownerOf.mockImplementation(answer);
    elsewhere('new');
    expect(getSession().token).toBe('old');
    await vi.waitFor(() => expect(getSession().token).toBe('new'));
    expect(getSession()).toMatchObject({ login: 'new', account: null, fresh: false });
  });

  it('is nothing to ask about where nobody is known yet, or where it ends', () => {
    signIn('unknown');
    elsewhere('new');
    expect(getSession()).toMatchObject({ token: 'new', login: 'new' });
    setAccount(ada);
    elsewhere(null);
    expect(getSession()).toMatchObject({ token: null, account: null });
    expect(ownerOf).not.toHaveBeenCalled();
  });

  it('counts only while it is the last one', async () => {
    let answer: (owner: Account) => void = () => undefined;
    ownerOf.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    elsewhere('new');
    renewSession('here');
    answer(bob);
    // By then all has happened that follows from the answer.
    await new Promise((done) => setTimeout(done));
    expect(getSession()).toMatchObject({ token: 'here', login, account: { name: 'ada' } });
  });
});
