import { Refusal, StoreError, ThreadError } from '../base/errors.ts';
import { LabRefusal } from './lab.ts';

/**
 * Returns the problem of one device, for people: others go on. Rethrows the problems of all: a lab that is lost, or takes
 * the key no more, a push that was cancelled, a bug.
 */
export function problemOf(error: unknown): string {
  if (error instanceof LabRefusal && error.status !== 401) return error.message;
  if (error instanceof StoreError && error.code === 'retired') return 'It was deleted here meanwhile.';
  if (error instanceof StoreError && error.code !== 'closed') return error.message;
  if (error instanceof ThreadError && error.code !== 'closed') return error.message;
  if (error instanceof Refusal && error.status === 404) return error.message;
  throw error;
}
