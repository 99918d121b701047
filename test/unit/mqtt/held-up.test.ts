import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryBudget } from '#core/ingest/memory-budget.ts';
import { MOST_PACKET, MOST_RECEIVING } from '#core/mqtt/limits.ts';
import { publishOf, type RawClient } from '../../contract/mqtt/world.ts';
import { DEVICE, openDoor, type OpenDoor } from './open-door.ts';

/* What stands behind a thousand QoS 2 messages that wait for their PUBREL, a message that is too large to be read among it. */

const PAYLOAD = `{"n":1${' '.repeat(40_000)}}`;
let door: OpenDoor;
beforeEach(async () => {
  // Room for one such payload, and not for two.
  door = await openDoor({ budget: createMemoryBudget({ ofSender: 60_000 }) });
});
afterEach(() => door.mqtt.close(0));

/** A client of 3.1.1 behind whose messages one is held up, and one that is too large. */
async function heldUp(): Promise<RawClient> {
  const client = await door.signedIn('client', 4);
  for (let messageId = 1; messageId <= MOST_RECEIVING; messageId++) {
    client.send(publishOf(DEVICE, '{"n":0}', { qos: 2, messageId }));
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId });
  }
  client.send(
    publishOf(DEVICE, PAYLOAD, { qos: 2, messageId: 2001 }),
    publishOf(DEVICE, Buffer.alloc(MOST_PACKET), { qos: 1, messageId: 2002 }),
  );
  expect(await client.before()).toEqual([]);
  return client;
}

test('all is answered in its order once there is room', async () => {
  const client = await heldUp();
  client.send({ cmd: 'pubrel', messageId: 1 });
  expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId: 1 });
  expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 2001 });
  expect(await client.next()).toMatchObject({ cmd: 'puback', messageId: 2002 });
  client.end();
});

test('its memory is given back when the connection ends', async () => {
  const client = await heldUp();
  client.end();
  await expect.poll(() => client.closed).toBe(true);
  const other = await door.signedIn('other');
  other.send(publishOf(DEVICE, PAYLOAD, { qos: 1, messageId: 1 }));
  expect(await other.next()).toMatchObject({ cmd: 'puback', messageId: 1 });
});
