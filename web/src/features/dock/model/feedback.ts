// Feedback that is being written: it stays when its form is closed, until it is sent, given up, or the person leaves.
import { call } from '@/api/call';
import { ApiError, messageOf } from '@/api/error';
import { request } from '@/api/request';
import { createStore } from '@/lib/store';
import { screenshotProblem, type ScreenshotProblem } from './screenshot';

export interface Shot {
  file: File;
  /** For the small picture. */
  url: string;
}

interface Feedback {
  title: string;
  content: string;
  shots: readonly Shot[];
  /** It is on its way. */
  busy: boolean;
  /** Why it could not be sent. */
  failure: string | null;
}

const nothing: Feedback = { title: '', content: '', shots: [], busy: false, failure: null };
export const feedback = createStore<Feedback>(nothing);

export const writeFeedback = (change: Partial<Pick<Feedback, 'title' | 'content'>>): void => feedback.set((now) => ({ ...now, ...change }));

/** Adds the pictures that fit; says what is wrong with the last of the others. */
export function addShots(files: Iterable<File>): ScreenshotProblem | null {
  let { shots } = feedback.get();
  let problem: ScreenshotProblem | null = null;
  for (const file of files) {
    const found = screenshotProblem(file, shots.length);
    if (found) problem = found;
    else shots = [...shots, { file, url: URL.createObjectURL(file) }];
  }
  feedback.set((now) => ({ ...now, shots }));
  return problem;
}

export function removeShot(shot: Shot): void {
  URL.revokeObjectURL(shot.url);
  feedback.set((now) => ({ ...now, shots: now.shots.filter((one) => one !== shot) }));
}

export function forgetFeedback(): void {
  for (const { url } of feedback.get().shots) URL.revokeObjectURL(url);
  feedback.set(nothing);
}

/** Uploads one picture with a ticket of its own; answers the stored path. */
async function upload(file: File): Promise<string> {
  const { ticket } = await call('post', '/api/file/ticket', { body: { purpose: 'upload' }, quiet: true });
  const form = new FormData();
  form.append('file', file);
  return request<string>('POST', '/api/file/upload/feedback', { query: { ticket }, body: form, anonymous: true, quiet: true });
}

/** Sends it, as written on the page of that address; whether the server took it. */
export async function sendFeedback(page: string): Promise<boolean> {
  const sent = feedback.get();
  if (sent.busy) return false;
  feedback.set({ ...sent, busy: true, failure: null });
  try {
    const photos = await Promise.all(sent.shots.map(({ file }) => upload(file)));
    await call('post', '/api/feedback/upload', { body: { feedbackTitle: sent.title.trim(), feedbackContent: sent.content.trim(), feedbackUrl: page, feedbackPhoto: photos.join('@') }, quiet: true });
  } catch (error) {
    if (!(error instanceof ApiError)) console.error('The feedback could not be sent', error);
    // What was given up meanwhile is nobody's failure.
    feedback.set((now) => (now.busy ? { ...now, busy: false, failure: messageOf(error) } : now));
    return false;
  }
  const { title, content, shots } = feedback.get();
  // What was written while it was on its way is not sent yet.
  if (title === sent.title && content === sent.content && shots === sent.shots) forgetFeedback();
  else feedback.set((now) => ({ ...now, busy: false }));
  return true;
}
