/** Has the browser save something made in the page under a name. */
export function saveFile(name: string, content: Blob | string): void {
  const address = typeof content === 'string' ? content : URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  // Signs that file systems refuse become spaces.
  link.download = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim();
  link.click();
  if (typeof content !== 'string') URL.revokeObjectURL(address);
}
