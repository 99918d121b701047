import { Refusal, StoreError } from '../base/errors.ts';

/** An error as it crosses between threads, where a structured clone would lose its class and its code. */
export interface ErrorMessage {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** Of a Refusal. */
  readonly status?: Refusal['status'];
  /** Of a StoreError, or Node's own of a failed file operation. */
  readonly code?: string;
  readonly cause?: ErrorMessage;
}

export function toMessage(error: unknown): ErrorMessage {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    stack,
    ...(error instanceof Refusal && { status: error.status }),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(cause !== undefined && { cause: toMessage(cause) }),
  };
}

/** The error again: a Refusal or StoreError as itself, any other as an Error; with the stack of the thread it comes from. */
export function toError(sent: ErrorMessage): Error {
  const { stack, cause } = sent;
  const error = create(sent, cause && { cause: toError(cause) });
  return stack === undefined ? error : Object.assign(error, { stack });
}

function create({ name, message, status, code }: ErrorMessage, options?: ErrorOptions): Error {
  if (status !== undefined) return new Refusal(status, message);
  if (name === 'StoreError') return new StoreError(code as StoreError['code'], message, options);
  return Object.assign(new Error(message, options), { name }, code !== undefined && { code });
}
