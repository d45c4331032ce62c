// Rules of the fields people fill in. Each returns the name of what is wrong, for the texts to say it, or null.

export type Problem = 'userNameMissing' | 'userName' | 'passwordMissing' | 'password' | 'newPassword' | 'repeat' | 'email' | 'phone' | 'contact' | 'code' | 'agree' | 'invitation' | 'secondCode';

export function userNameProblem(text: string): Problem | null {
  if (text === '') return 'userNameMissing';
  return /^[a-z0-9_]{1,16}$/.test(text) ? null : 'userName';
}

export function passwordProblem(text: string): Problem | null {
  if (text === '') return 'passwordMissing';
  const length = Array.from(text).length;
  return length >= 6 && length <= 20 ? null : 'password';
}

/** A password that replaces another one: its signs are limited too. */
export function newPasswordProblem(text: string): Problem | null {
  if (text === '') return 'passwordMissing';
  return /^[A-Za-z0-9!@#$%&*_]{6,20}$/.test(text) ? null : 'newPassword';
}

export function repeatProblem(password: string, repeat: string): Problem | null {
  return password === repeat ? null : 'repeat';
}

/** An empty address is fine: it is not required. */
export function emailProblem(text: string): Problem | null {
  if (text === '') return null;
  return /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(text) && text.length <= 254 ? null : 'email';
}

/** An empty number is fine: it is not required. Spaces, hyphens and brackets may group the digits. */
export function phoneProblem(text: string): Problem | null {
  if (text === '') return null;
  const digits = text.replace(/[ ()-]/g, '');
  return /^\+?\d{6,15}$/.test(digits) ? null : 'phone';
}

export const longestTag = 15;

/** Why a tag can't be added to those there are: empty, longer than 15 characters, or there already. */
export function tagProblem(text: string, tags: readonly string[] = []): 'tagMissing' | 'tagLong' | 'tagTwice' | null {
  const tag = text.trim();
  if (tag === '') return 'tagMissing';
  if (Array.from(tag).length > longestTag) return 'tagLong';
  return tags.some((one) => one.toLowerCase() === tag.toLowerCase()) ? 'tagTwice' : null;
}

const pictureTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/gif'];
/** Bytes that a picture stays under. */
const tooLargePicture = 2 * 1024 * 1024;

/** Why a file can't be an uploaded picture: its type by name and content, or its size. The server checks the same. */
export function pictureProblem(file: Pick<File, 'name' | 'type' | 'size'>): 'pictureType' | 'pictureSize' | null {
  if (!pictureTypes.includes(file.type) || !/\.(jpe?g|png|gif)$/i.test(file.name)) return 'pictureType';
  return file.size < tooLargePicture ? null : 'pictureSize';
}
