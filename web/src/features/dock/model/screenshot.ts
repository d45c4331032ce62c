// What a screenshot may be, as the server checks it again.

export type ScreenshotProblem = 'type' | 'size' | 'many';

const types: readonly string[] = ['image/jpeg', 'image/png', 'image/gif'];
const largest = 2 * 1024 * 1024;
export const mostScreenshots = 10;

export function screenshotProblem(file: { name: string; type: string; size: number }, already: number): ScreenshotProblem | null {
  if (already >= mostScreenshots) return 'many';
  if (!types.includes(file.type) || !/\.(jpe?g|png|gif)$/i.test(file.name)) return 'type';
  return file.size < largest ? null : 'size';
}
