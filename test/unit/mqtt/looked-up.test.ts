import { expect, test } from 'vitest';
import { DEVICE, openDoor } from './open-door.ts';

test.each([4, 5] as const)(
  '%i: messages have the times at which they came, also where the device of the first is looked up for longer',
  async (version) => {
    let ms = 1_000_000;
    const slow = Promise.withResolvers<null>();
    let isNext = false;
    const missing = () => {
      const found = isNext ? slow.promise : null;
      isNext = false;
      return found;
    };
    const door = await openDoor({ nowMs: () => ms++, missing });
    const { mqtt, records } = door;
    const client = await door.signedIn('gateway', version);
    isNext = true;
    for (const n of [1, 2, 3])
      client.send({
        cmd: 'publish',
        topic: DEVICE.id,
        payload: `{"n":${n}}`,
        qos: 1,
        messageId: n,
        dup: false,
        retain: false,
      });
    await expect.poll(() => records.count(DEVICE.id)).toBe(2);
    slow.resolve(null);
    for (const messageId of [1, 2, 3]) expect(await client.nextOf('puback')).toMatchObject({ messageId });
    const { json } = await records.page(DEVICE.id, { offset: 0, limit: 10 });
    const newestFirst = JSON.parse(Buffer.from(json as Uint8Array).toString()) as { n: number }[];
    expect(newestFirst.map(({ n }) => n)).toEqual([3, 2, 1]);
    await mqtt.close(0);
  },
);
