// What a screenshot may be, as the server checks it again.
import { pictureProblem } from '@/lib/validate';

export type ScreenshotProblem = 'type' | 'size' | 'many';

export const mostScreenshots = 10;

export function screenshotProblem(file: { name: string; type: string; size: number }, already: number): ScreenshotProblem | null {
  if (already >= mostScreenshots) return 'many';
  const problem = pictureProblem(file);
  return problem && (problem === 'pictureType' ? 'type' : 'size');
}
