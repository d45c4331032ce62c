// A call that failed: what the server said, or that it could not be reached.
import { errorLead, errorText } from '@/i18n';
import { refusalText } from '@/i18n/failures';

/** How the message of every authentication failure ends. */
const authenticationFailure = '认证失败，无法访问系统资源';
export const fallbackMessage = 'Execute fail!';

interface ErrorDetails {
  param?: string;
  detail?: string;
  position?: { line: number; column: number };
  data?: unknown;
}

export class ApiError extends Error {
  override name = 'ApiError';
  /** The field meant, when it is one field's fault. */
  readonly param: string | undefined;
  /** What exactly is wrong, when the message is a fixed text that does not say it. */
  readonly detail: string | undefined;
  /** Where in a query's text the fault is, counted from 1. */
  readonly position: { line: number; column: number } | undefined;
  /** What the server sends beside: of a conflict, the state as it is now. */
  readonly data: unknown;
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
    more: ErrorDetails = {},
  ) {
    super(message || fallbackMessage);
    this.param = more.param;
    this.detail = more.detail;
    this.position = more.position;
    this.data = more.data;
  }

  /** Somebody changed the same thing in the meantime. */
  get conflict(): boolean {
    return this.code === 'conflict';
  }

  get authentication(): boolean {
    return this.message.endsWith(authenticationFailure);
  }

  get expired(): boolean {
    return this.code === 'login_expired';
  }
}

/** What to show a person: the code's text in the person's language, or the server's own sentence where that says more. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return errorText(error.code) ?? refusalText(error.message) ?? [errorLead(error.code), error.message].filter(Boolean).join(' ');
  return errorText('unexpected') ?? fallbackMessage;
}
