import type * as Public from './public.d.ts';

/** docs/api.md, "Statuses": the message of a failure ends with its id in the log. */
const LOGGED = /\(error ([\da-f-]{36})\)$/;

export class FieldbenchError extends Error implements Public.FieldbenchError {
  override readonly name = 'FieldbenchError';
  readonly status: number;
  readonly action: string;
  readonly requestId: string | null;
  readonly retryAfterS: number | null;

  constructor(answer: ConstructorParameters<typeof Public.FieldbenchError>[0]) {
    super(answer.message);
    this.status = answer.status;
    this.action = answer.action;
    this.requestId = LOGGED.exec(answer.message)?.[1] ?? null;
    this.retryAfterS = answer.retryAfterS;
  }
}
