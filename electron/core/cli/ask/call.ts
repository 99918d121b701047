import type { InputOf, OperationId } from '#shared/operations/index.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { CONTROL_PATHS } from '../../control/messages.ts';
import { askHolder } from './ask.ts';

/** As long as it takes to move a clock by years. */
const ANSWER_MS = 600_000;

/** Runs an operation of the service that uses a data directory. Rejects with UnreachableError where none can be asked. */
export async function askOperation<Id extends OperationId>(
  directory: string,
  id: Id,
  input: InputOf<Id>,
): Promise<Envelope> {
  const body = JSON.stringify({ id, input });
  return (await askHolder(directory, 'POST', CONTROL_PATHS.call, { answerMs: ANSWER_MS, body })).envelope;
}
