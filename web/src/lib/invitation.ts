// The address that an invited person opens. The code stands behind the #, which browsers keep to themselves: it reaches no server
// and no log, nor what is reported of visits.
import { paths } from './paths';

interface Invitation {
  code: string;
  /** The only address that it works for. */
  email?: string | null | undefined;
}

/** The address of the page that makes an account with this invitation. */
export function invitationLink(origin: string, { code, email }: Invitation): string {
  const parts = new URLSearchParams({ invitation: code, ...(email ? { email } : {}) });
  return `${origin}${paths.register}#${parts.toString()}`;
}

/** What the fragment of such an address says; empty texts where it says nothing. */
export function readInvitation(hash: string): { invitation: string; email: string } {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  return { invitation: parts.get('invitation') ?? '', email: parts.get('email') ?? '' };
}
