/** The statuses of docs/api.md, "Statuses", 201 for a created device and 206 for the rest of a file; 413, 416, 429 and 503 never appear on /v2. */
export type Status = 200 | 201 | 206 | 400 | 401 | 403 | 404 | 413 | 416 | 429 | 500 | 503;

/** The answer of every endpoint (docs/api.md, "Envelope"): always all five fields, `data` null on errors. */
export interface Envelope<T = unknown> {
  readonly success: boolean;
  readonly action: string;
  readonly status: Status;
  readonly message: string;
  readonly data: T | null;
}

export function succeeded<T>(action: string, status: Status, message: string, data: T): Envelope<T> {
  return { success: true, action, status, message, data };
}

export function failed(action: string, status: Status, message: string): Envelope<never> {
  return { success: false, action, status, message, data: null };
}
