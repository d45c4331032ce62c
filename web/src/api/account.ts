// Registering, logging in and out, and who the token belongs to.
import { defaultRole, type Account } from '@/lib/session';
import { call, type Schemas } from './call';
import { request } from './request';

export async function register(registration: Schemas['Registration']): Promise<string> {
  return (await call('post', '/api/user/register', { body: registration, anonymous: true })).token;
}

export async function login(given: Schemas['Login']): Promise<string> {
  return (await call('post', '/api/user/login', { body: given, anonymous: true, quiet: true })).token;
}

/** How people log in here. */
export const loginOptions = (signal: AbortSignal): Promise<Schemas['LoginOptions']> => call('get', '/api/user/login-options', { signal, quiet: true, anonymous: true });

/** Begins a log-in at the provider; answers its page. */
export async function beginProviderLogin(): Promise<string> {
  return (await call('post', '/api/user/provider/begin', { quiet: true, anonymous: true })).url;
}

/** Ends a log-in with what the provider sent this browser back with. */
export async function providerLogin(answer: Schemas['ProviderLogin']): Promise<string> {
  return (await call('post', '/api/user/provider/login', { body: answer, quiet: true, anonymous: true })).token;
}

/** How accounts are made here. */
export const registrationRules = (signal: AbortSignal): Promise<Schemas['RegistrationRules']> => call('get', '/api/user/registration', { signal, quiet: true, anonymous: true });

/** How easily a password is guessed. */
export const judgePassword = (typed: Schemas['TypedPassword'], signal: AbortSignal): Promise<Schemas['Strength']> => call('post', '/api/user/password/judge', { body: typed, signal, quiet: true, anonymous: true });

/** Sends a code to the owner of an account that others guess at. */
export async function sendLoginCode(userName: string): Promise<void> {
  await call('post', '/api/user/code/login', { body: { userName }, quiet: true, anonymous: true });
}

export async function logout(): Promise<void> {
  await call('post', '/api/user/logout', { quiet: true });
}

/** Whose the login is, or a token that isn't in use yet. */
export async function fetchAccount(signal: AbortSignal, token?: string): Promise<Account> {
  const { user, role, permissions } = await call('get', '/api/user/info', { signal, quiet: true, ...(token === undefined ? {} : { token }) });
  return { id: String(user.userId), name: user.userName, avatar: user.headPhoto || null, role: role || defaultRole, permissions };
}

export type Profile = Schemas['Profile'];

/** The whole profile of whoever is logged in; of others the public part. */
export const fetchProfile = (name: string, signal: AbortSignal): Promise<Profile> => call('get', '/api/system/user/userName/{name}', { path: { name }, signal, quiet: true });

/** Changes the caller's own profile; an empty text empties the field. */
export function updateProfile(career: string, address: string, tags: readonly string[]): Promise<Profile> {
  return request('PUT', `/api/system/user/updateUserInfo?${new URLSearchParams({ career, address, tag: tags.join(',') }).toString()}`, { quiet: true });
}

/** Gives the caller another picture; answers its path. */
export function uploadAvatar(picture: File): Promise<string> {
  const form = new FormData();
  form.append('file', picture);
  return request('POST', '/api/user/avatar', { body: form, quiet: true });
}

export type Contact = 'email' | 'phone';
export type CodePurpose = Schemas['CodePurpose'];

/** Where codes can be sent. */
export const codeChannels = (signal: AbortSignal): Promise<Schemas['CodeChannels']> => call('get', '/api/user/code/channels', { signal, quiet: true, anonymous: true });

export async function sendCode(contact: Contact, to: string, purpose: CodePurpose): Promise<void> {
  if (contact === 'email') await call('post', '/api/user/code/email', { body: { email: to, purpose }, quiet: true, anonymous: true });
  else await call('post', '/api/user/code/phone', { body: { phone: to, purpose }, quiet: true, anonymous: true });
}

/** Sets a new password with a code. */
export async function forgetPassword(change: Schemas['Forgotten']): Promise<void> {
  await call('post', '/api/user/password/forget', { body: change, quiet: true, anonymous: true });
}

/** Changes the password; every session ends, and the answered token is that of a new one. */
export async function resetPassword(change: Schemas['PasswordChange']): Promise<string> {
  return (await call('post', '/api/user/password/reset', { body: change, quiet: true })).token;
}
