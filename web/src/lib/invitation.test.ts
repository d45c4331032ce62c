import { describe, expect, it } from 'vitest';
import { invitationLink, readInvitation } from './invitation';

describe('the address of an invitation', () => {
  it('has the code behind the #, where no server gets it', () => {
    const link = new URL(invitationLink('https://quarry.example', { code: 'abcd-efgh-ijkm-npqr' }));
    expect(link.pathname + link.search).toBe('/auth/register');
    expect(readInvitation(link.hash)).toEqual({ invitation: 'abcd-efgh-ijkm-npqr', email: '' });
  });
  it('keeps an email address whatever signs it has', () => {
    const email = 'ada+test&x#y@mail.example';
    const { hash } = new URL(invitationLink('https://quarry.example', { code: 'a', email }));
    expect(readInvitation(hash).email).toBe(email);
  });
  it('says nothing where there is none', () => {
    expect(readInvitation('')).toEqual({ invitation: '', email: '' });
    expect(readInvitation('#top')).toEqual({ invitation: '', email: '' });
  });
});
