import { UnreachableError } from '../../base/errors.ts';

/** Returns the error for a service that holds a data directory and does not answer. */
export function noAnswer(directory: string, cause: unknown): UnreachableError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UnreachableError(
    `The Fieldbench that uses ${directory} does not answer (${reason}): it starts, stops, or is being checked. Try again.`,
    { cause },
  );
}
