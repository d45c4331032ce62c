import { expect, it } from 'vitest';
import { emailProblem, passwordProblem, phoneProblem, repeatProblem, tagProblem, userNameProblem, newPasswordProblem, pictureProblem } from './validate';

it.each([['mara_k', null], ['a', null], ['abcdefghij123456', null], ['', 'userNameMissing'], ['abcdefghij1234567', 'userName'], ['Mara', 'userName'], ['mara k', 'userName'], ['mära', 'userName']])(
  'user name %j: %s',
  (text, problem) => expect(userNameProblem(text)).toBe(problem),
);

it.each([['123456', null], ['x'.repeat(20), null], ['密码密码密码', null], ['', 'passwordMissing'], ['12345', 'password'], ['x'.repeat(21), 'password']])(
  'password %j: %s',
  (text, problem) => expect(passwordProblem(text)).toBe(problem),
);

it('the repeated password is the same', () => {
  expect(repeatProblem('secret1', 'secret1')).toBeNull();
  expect(repeatProblem('secret1', 'secret2')).toBe('repeat');
});

it.each([['', null], ['a@b.co', null], ['first.last+tag@mail.example.org', null], ['a@b', 'email'], ['a b@c.de', 'email'], ['@b.co', 'email'], ['a@b..co', 'email'], ['a@b.co ', 'email']])(
  'email %j: %s',
  (text, problem) => expect(emailProblem(text)).toBe(problem),
);

it.each([['', null], ['+49 30 1234567', null], ['(010) 6552-9988', null], ['12345', 'phone'], ['+1234567890123456', 'phone'], ['12a456', 'phone'], ['++491234567', 'phone']])(
  'phone %j: %s',
  (text, problem) => expect(phoneProblem(text)).toBe(problem),
);

it('takes tags of 1 to 15 characters, each once', () => {
  expect(tagProblem('a'.repeat(15))).toBeNull();
  expect(tagProblem('a'.repeat(16))).toBe('tagLong');
  // Fifteen signs are fifteen, however many bytes they take.
  expect(tagProblem('去中心化交易所去中心化交易所'.slice(0, 14) + '😀')).toBeNull();
  expect(tagProblem('   ')).toBe('tagMissing');
  expect(tagProblem('DEX', ['dex'])).toBe('tagTwice');
});

it.each([['abc123', null], ['aB3!@#$%&*_', null], ['a'.repeat(20), null], ['abc12', 'newPassword'], ['a'.repeat(21), 'newPassword'], ['with space1', 'newPassword'], ['pässwort', 'newPassword'], ['', 'passwordMissing']])('a new password %j: %s', (text, problem) =>
  expect(newPasswordProblem(text)).toBe(problem),
);

it('takes pictures of four endings under 2 MB', () => {
  expect(pictureProblem({ name: 'me.JPG', type: 'image/jpeg', size: 2 * 1024 * 1024 - 1 })).toBeNull();
  expect(pictureProblem({ name: 'me.jpeg', type: 'image/jpeg', size: 2 * 1024 * 1024 })).toBe('pictureSize');
  expect(pictureProblem({ name: 'me.svg', type: 'image/svg+xml', size: 10 })).toBe('pictureType');
  expect(pictureProblem({ name: 'page.html', type: 'image/png', size: 10 })).toBe('pictureType');
});
