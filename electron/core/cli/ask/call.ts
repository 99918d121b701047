import type { InputOf, OperationId, OutputOf } from '#shared/operations/index.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { CONTROL_PATHS } from '../../control/messages.ts';
import { refusal } from '../refusal.ts';
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

/** The same, with its data. `flags`: by field of the operation, the flag that says it. Rejects with CommandError where it is refused, too. */
export async function callService<Id extends OperationId>(
  directory: string,
  id: Id,
  input: InputOf<Id>,
  flags: Readonly<Record<string, string>> = {},
): Promise<OutputOf<Id>> {
  const envelope = await askOperation(directory, id, input);
  if (!envelope.success) throw refusal(envelope, flags);
  return envelope.data as OutputOf<Id>;
}
