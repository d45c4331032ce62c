// Links in texts that people write: only four kinds lead anywhere.

const allowed = ['http://', 'https://', 'mailto:', 'tel:'];

export function isAllowedLink(link: string): boolean {
  const small = link.trimStart().toLowerCase();
  return link.length <= 2000 && !/\p{Cc}/u.test(link) && allowed.some((prefix) => small.startsWith(prefix));
}
