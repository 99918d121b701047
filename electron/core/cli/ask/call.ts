import type { InputOf, OperationId, OutputOf } from '#shared/operations/index.ts';
import { CONTROL_PATHS } from '../../control/messages.ts';
import { refusal } from '../refusal.ts';
import { askHolder } from './ask.ts';

/** As long as it takes to move a clock by years. */
const ANSWER_MS = 600_000;

/**
 * Runs an operation of the service that uses a data directory. `flags`: by field of the operation, the flag that says it. Rejects with
 * CommandError where it is refused, with UnreachableError where none can be asked.
 */
export async function callService<Id extends OperationId>(
  directory: string,
  id: Id,
  input: InputOf<Id>,
  flags: Readonly<Record<string, string>> = {},
): Promise<OutputOf<Id>> {
  const body = JSON.stringify({ id, input });
  const { envelope } = await askHolder(directory, 'POST', CONTROL_PATHS.call, { answerMs: ANSWER_MS, body });
  if (!envelope.success) throw refusal(envelope, flags);
  return envelope.data as OutputOf<Id>;
}
