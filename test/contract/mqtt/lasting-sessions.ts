import { expect } from 'vitest';
import { connectOf, publishOf, rawClient, signedIn, subscribeOf, type RawClient } from './world.ts';
import { world, device } from './one-device.ts';

/* A device whose client goes and comes back to its session. */

/** Of a session that is to be kept, whichever version. */
export const LASTING = { clientId: 'away', clean: false, properties: { sessionExpiryInterval: 60 } };

/** Connects with it; says whether there was one. */
export async function back(version: 4 | 5, more: Record<string, unknown> = LASTING) {
  const client = await rawClient(world.port, version);
  client.send(connectOf(device, version, more));
  const answer = await client.nextOf('connack');
  expect(answer.returnCode ?? answer.reasonCode).toBe(0);
  return { client, sessionPresent: answer.sessionPresent };
}

export async function subscribed(
  version: 4 | 5,
  qos: 0 | 1 | 2 = 2,
  more: Record<string, unknown> = LASTING,
) {
  const { client } = await back(version, more);
  client.send(subscribeOf('#', qos));
  await client.nextOf('suback');
  return client;
}

export async function gone(client: RawClient): Promise<void> {
  client.end();
  // The service sees it before anything that is sent from now on.
  const other = await signedIn(world, device, 5, { clientId: 'passing' });
  await other.before();
  other.end();
}

export async function publish(payloads: readonly string[], qos: 0 | 1 | 2): Promise<void> {
  const client = await signedIn(world, device, 5, { clientId: 'sender' });
  for (const [i, payload] of payloads.entries()) {
    client.send(publishOf(device, payload, { qos, ...(qos > 0 && { messageId: i + 1 }) }));
    if (qos > 0) await client.nextOf(qos === 1 ? 'puback' : 'pubrec');
  }
  await client.before();
  client.end();
}

/** The next messages, which are confirmed as they should be. */
export async function take(client: RawClient, count: number) {
  const got: { payload: string; qos: number; dup: boolean; id: number | undefined }[] = [];
  while (got.length < count) {
    const packet = await client.next();
    if (packet?.cmd === 'pubrel') client.send({ cmd: 'pubcomp', messageId: packet.messageId });
    if (packet?.cmd !== 'publish') continue;
    const { payload, qos, dup, messageId } = packet;
    got.push({ payload: String(payload), qos, dup, id: messageId });
    if (qos > 0) client.send({ cmd: qos === 1 ? 'puback' : 'pubrec', messageId });
  }
  return got;
}
export const payloadsOf = (got: readonly { readonly payload: string }[]) => got.map(({ payload }) => payload);

/** With another service in the same folder, where that is what is tried. */
export const between = { 'the same service': false, 'a restart': true };
