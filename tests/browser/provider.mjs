// A provider of OpenID Connect that is not ours: the certified package `oidc-provider`, on this machine.
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

export const clientId = 'quarry';
export const clientSecret = 'a-secret-of-the-tests';

/** The groups of each person, whom any password proves. A test may change them. */
export const groups = { ada: ['staff', 'quarry-admins'], bob: ['staff'] };

/** Starts the provider for a server at `publicUrl`, which has one page that people come back to. */
export async function startProvider(publicUrl) {
  const http = createServer();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://127.0.0.1:${http.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [`${publicUrl}/auth/provider`] }],
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
    // Puts the claims into the ID token, not only into the user info response.
    conformIdTokenClaims: false,
    cookies: { keys: ['a-key-of-the-tests'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id, groups: groups[id] ?? [] }) }),
  });
  http.on('request', provider.callback());
  return {
    issuer,
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

/** Logs in on the provider's pages and agrees to what Quarry asks for. */
export async function logInThere(page, name) {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
