// Who is signed in: the token, and what the server said about its owner.
import { readStored, writeStored } from './storage';
import { createStore, useStore } from './store';

const key = 'Admin-Token';
export const defaultRole = 'ROLE_DEFAULT';
/** Holds every permission, whatever is written down. */
export const adminRole = 'admin';

export interface Account {
  id: string;
  name: string;
  avatar: string | null;
  role: string;
  permissions: string[];
}

/** Whether the role may do that: the server sends administrators every permission. */
export const holds = (account: Account | null, permission: string): boolean => account?.permissions.includes(permission) ?? false;

/** Permissions for something that is done on other pages. */
const pageless: readonly string[] = ['system.official', 'system.label', 'system.platformMessage'];

/** Whether the role opens any page of the back office. */
export const mayManage = (account: Account | null): boolean => account?.permissions.some((permission) => permission.startsWith('system.') && !pageless.includes(permission)) ?? false;

export interface Session {
  token: string | null;
  /** Null for a visitor, and until the server has answered for the token. */
  account: Account | null;
  /** The login was made on this page, not found in the storage: the person is on the way to somewhere. */
  fresh: boolean;
  /** The token that the login began with: what a person has on the page stays while it is the same. */
  login: string | null;
}

const visitor: Session = { token: null, account: null, fresh: false, login: null };
const begun = (token: string | null, fresh: boolean): Session => ({ ...visitor, token, fresh, login: token });
const session = createStore<Session>(begun(readStored(key), false));

export const getSession = session.get;
export const onSession = session.subscribe;

export function useSession(): Session {
  return useStore(session);
}

export function signIn(token: string): void {
  writeStored(key, token);
  session.set(begun(token, true));
}

/** The same person goes on with another token, after the one before has expired. */
export function renewSession(token: string): void {
  writeStored(key, token);
  session.set((now) => ({ ...now, token }));
}

export function setAccount(account: Account): void {
  session.set((now) => (now.token === null ? now : { ...now, account }));
}

/** Forgets token, account, role and permissions, here and in every other tab. */
export function clearSession(): void {
  writeStored(key, null);
  session.set(visitor);
}

/** Follows sign-in and sign-out made in other tabs; `ownerOf` asks the server whose token it is. Call once. */
export function startSession(ownerOf: (token: string) => Promise<Account>): void {
  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return;
    const token = readStored(key);
    const now = session.get();
    if (token === now.token) return;
    if (token === null || now.account === null) session.set(begun(token, false));
    else void takeOver(token, ownerOf);
  });
}

/** A login made in another tab: the same person goes on with it where they are. For anybody else the page begins anew. */
async function takeOver(token: string, ownerOf: (token: string) => Promise<Account>): Promise<void> {
  const owner = await ownerOf(token).catch(() => null);
  // Meanwhile somebody may have signed out, or in once more, here or there.
  if (readStored(key) !== token) return;
  session.set((now) => {
    if (now.token === token) return now;
    return owner !== null && owner.id === now.account?.id ? { ...now, token, account: owner } : begun(token, false);
  });
}
