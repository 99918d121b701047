import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { Envelope } from '#shared/schema/envelope.ts';
import { parseJson } from '#shared/values/json.ts';
import { CONTROL_PATHS, type AskedJob, type JobProgress } from '../../control/messages.ts';
import { reachHolder } from '../../disk/lock/holder.ts';
import { request } from '../../net/node-http.ts';
import { UnreachableError } from '../../base/errors.ts';
import { machineClock } from '../../base/machine-clock.ts';
import type { Output } from '../output.ts';
import { noAnswer } from './no-answer.ts';

/**
 * Asks the service of a data directory for long work, over its socket (docs/running.md, "Control socket"), however long it
 * takes; `progress` is called now and then. Resolves with the envelope; rejects with UnreachableError where none can be
 * asked, or it ends in the middle.
 */
export async function askJob(
  directory: string,
  id: AskedJob,
  input: object,
  progress: (now: JobProgress) => void,
): Promise<Envelope> {
  try {
    const answer = await answered(directory, id, JSON.stringify(input));
    for await (const line of createInterface({ input: answer, crlfDelay: Infinity })) {
      const read = parseJson(line) as Envelope | JobProgress;
      if ('success' in read) return read;
      progress(read);
    }
    throw new Error('it ended');
  } catch (cause) {
    if (cause instanceof UnreachableError) throw cause;
    throw noAnswer(directory, cause);
  }
}

async function answered(directory: string, id: AskedJob, body: string): Promise<IncomingMessage> {
  const socket = await reachHolder(directory);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asking = request(
    {
      method: 'POST',
      path: CONTROL_PATHS[id],
      createConnection: () => socket,
      headers: { host: 'control', connection: 'close', 'content-type': 'application/json' },
    },
    resolve,
  );
  asking.once('error', reject);
  asking.end(body);
  return promise;
}

/** Returns a listener that prints progress, at most once a second. */
export function tell({ remark }: Output): (now: JobProgress) => void {
  let last = machineClock.monotonicMs();
  return ({ done, total, unit }) => {
    if (machineClock.monotonicMs() - last < 1000) return;
    last = machineClock.monotonicMs();
    remark(`${done}${total === null ? '' : ` of ${total}`} ${unit}`);
  };
}
