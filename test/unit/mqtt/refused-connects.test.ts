import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Act } from '#core/faults/act.ts';
import { Ending } from '#core/faults/ending.ts';
import { connectOf, RawClient } from '../../contract/mqtt/world.ts';
import { DEVICE, openDoor, type OpenDoor } from './open-door.ts';

/* Metadata that take their time, as those in a database: who is refused finds that among requests seen. */

let door: OpenDoor;
beforeEach(async () => {
  const missing = async () => {
    await delay(20);
    return null;
  };
  door = await openDoor({ missing });
});
afterEach(() => door.mqtt.close(0));

const WILL = { topic: DEVICE.id, payload: Buffer.from('offline'), qos: 0 as const, retain: false };

test.each([
  ['a token that is unknown', 5, { username: 'other' }, { reasonCode: 0x86 }, 0x86],
  ['a token that is unknown', 4, { username: 'other' }, { returnCode: 4 }, 0x86],
  ['a will that is no record', 5, { will: WILL }, { reasonCode: 0x99 }, 0x99],
  ['another way to sign in', 5, { properties: { authenticationMethod: 'x' } }, { reasonCode: 0x8c }, 0x8c],
] as const)(
  '%s, protocol %i: is among requests seen before it is answered',
  async (_, version, more, answer, status) => {
    const client = new RawClient(door.connected(), version);
    client.send(connectOf(DEVICE, version, more));
    expect(await client.next()).toMatchObject({ cmd: 'connack', ...answer });
    expect(door.seen).toMatchObject([{ method: 'CONNECT', status, isRefused: true }]);
    client.end();
  },
);

test('who left while a rule delayed its CONNECT does not wait for the end of that rule', async () => {
  let waiting = 0;
  class Counting extends Ending {
    override tell(ended: () => void): () => void {
      waiting++;
      const leave = super.tell(ended);
      return () => {
        waiting--;
        leave();
      };
    }
  }
  const act: Act = { name: 'late', do: { drop: true }, delayMs: 50, ending: new Counting(), failDisk: null };
  const own = await openDoor({ faults: { isOn: true, meet: () => act } });
  const client = new RawClient(own.connected(), 5);
  client.send(connectOf(DEVICE));
  await expect.poll(() => waiting).toBe(1);
  client.end();
  await expect.poll(() => own.seen).toMatchObject([{ method: 'CONNECT', fault: 'late' }]);
  await expect.poll(() => waiting).toBe(0);
  await own.mqtt.close(0);
});
