// Registering, logging in and out, and who the token belongs to.
import { defaultRole, type Account } from '@/lib/session';
import { call, type Schemas } from './call';

export async function register(registration: Schemas['Registration']): Promise<string> {
  return (await call('post', '/api/user/register', { body: registration, anonymous: true })).token;
}

export async function login(userName: string, password: string): Promise<string> {
  return (await call('post', '/api/user/login', { body: { userName, password }, anonymous: true })).token;
}

export async function logout(): Promise<void> {
  await call('post', '/api/user/logout', { quiet: true });
}

export async function fetchAccount(signal: AbortSignal): Promise<Account> {
  const { user, role, permissions } = await call('get', '/api/user/info', { signal, quiet: true });
  return { id: String(user.userId), name: user.userName, avatar: user.headPhoto || null, role: role || defaultRole, permissions };
}
