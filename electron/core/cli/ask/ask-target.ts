import { operationOf, type OperationId, type OutputOf } from '#shared/operations/index.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { addressOf, withQuery } from '#shared/schema/path-parameters.ts';
import { UnreachableError } from '../../base/errors.ts';
import { RemoteError } from '../../remote/failure.ts';
import type { DeviceDoors } from '../../remote/send-as-device.ts';
import type { AskOptions, Target } from '../../remote/target.ts';

/* Operations of a service that is reached over HTTP. */

/** Runs one. Rejects with UnreachableError where nobody answers. */
export function askTarget(target: Target, id: OperationId, input: object): Promise<Envelope> {
  const { body, reply, path: template } = operationOf(id);
  const { path, rest } = addressOf(template, input);
  const isBare = reply === 'bare';
  if (body === 'json') return asked(target, id, path, { body: rest, isBare });
  return asked(target, id, withQuery(path, rest), { isBare });
}

/** The same of one that takes a file; rejects as its bytes do, too. */
export async function sendToTarget(
  target: Target,
  id: OperationId,
  input: object,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Envelope> {
  const { path, rest } = addressOf(operationOf(id).path, input);
  let unread: unknown = null;
  async function* file() {
    try {
      yield* bytes;
    } catch (error) {
      unread = error;
      throw error;
    }
  }
  try {
    return await asked(target, id, withQuery(path, rest), { file: file() });
  } catch (error) {
    throw unread ?? error;
  }
}

async function asked(target: Target, id: OperationId, path: string, options: AskOptions): Promise<Envelope> {
  try {
    return (await target.ask(operationOf(id).method, path, options)).envelope;
  } catch (error) {
    if (error instanceof RemoteError) throw new UnreachableError(error.message, { cause: error });
    throw error;
  }
}

/** Where devices of it store: at the same host, which knows itself by another name. */
export function doorsAt(
  { url, trust }: Target,
  { mqtt_url, mqtts_url, mqtt_shut }: OutputOf<'status.get'>,
): DeviceDoors {
  const { hostname, protocol } = new URL(url);
  // The plain door is shut to other machines.
  const own = (protocol === 'http:' ? mqtt_url : null) ?? mqtts_url;
  return {
    http: url,
    mqtt: own === null ? null : own.replace(/\/\/.+(?=:\d+$)/, `//${hostname}`),
    shut: mqtt_shut ?? 'Its door with TLS is shut (serve --mqtts-port).',
    trust,
  };
}
