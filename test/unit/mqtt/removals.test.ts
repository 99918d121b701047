import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { KeptDelete } from '#core/store/metadata/metadata-schema.ts';
import type { RecordStore } from '#core/store/store.ts';
import { publishOf, subscribeOf, type RawClient } from '../../contract/mqtt/world.ts';
import { Disk } from '../../faults/disk.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { DEVICE, openDoor, type OpenDoor } from './open-door.ts';

/* Records that went while the door did not hear of it: no message brings them back. */

const LASTING = { clean: false, properties: { sessionExpiryInterval: 3600 } };

let door: OpenDoor;
let disk: Disk;
let records: RecordStore;
let nowMs: number;
let kept: Partial<KeptDelete>[];
const open = async () => (door = await openDoor({ disk, records, nowMs: () => nowMs, kept: () => kept }));
beforeEach(async () => {
  disk = new Disk();
  records = createMemoryRecordStore();
  kept = [];
  nowMs = Date.UTC(2026, 0, 1);
  await open();
});
afterEach(() => door.mqtt.close(0));

const publish = (n: number) => publishText(`{"n":${n}}`);

async function publishText(text: string): Promise<void> {
  const client = await door.signedIn('sender');
  client.send(publishOf(DEVICE, text, { qos: 1, messageId: 1, retain: true }));
  expect(await client.next()).toMatchObject({ cmd: 'puback', reasonCode: 0 });
  client.send({ cmd: 'disconnect', reasonCode: 0 });
  await client.ended();
}

/** A client that is away, and what it missed. */
async function leaveAndMiss(...numbers: number[]): Promise<void> {
  const away = await door.signedIn('away', 5, LASTING);
  away.send(subscribeOf('#', 1));
  await away.nextOf('suback');
  away.send({ cmd: 'disconnect', reasonCode: 0 });
  await away.ended();
  for (const n of numbers) await publish(n);
}

const payloadsOf = async (client: RawClient) =>
  (await client.before()).flatMap((packet) => (packet.cmd === 'publish' ? [String(packet.payload)] : []));

/** What the client that was away gets, and one that subscribes now. */
async function heard() {
  const waiting = await payloadsOf(await door.signedIn('away', 5, LASTING));
  const fresh = await door.signedIn('fresh');
  fresh.send(subscribeOf('#', 0));
  await fresh.nextOf('suback');
  return { waiting, retained: await payloadsOf(fresh) };
}

const sayRemoved = () =>
  door.events.publish('records.removed', {
    account_id: 'account',
    project_id: DEVICE.project,
    device_id: DEVICE.id,
  });

/** Starts another service with what is on the disk at this moment, as after a kill. */
async function restart(): Promise<void> {
  const killed = door;
  disk = disk.copy();
  await killed.mqtt.close(0);
  await open();
}

test('a purge that the service was killed behind is no message’s way back', async () => {
  await leaveAndMiss(1);
  nowMs += 1000;
  await records.purge(DEVICE.id, nowMs * 1000);
  await restart();
  expect(await heard()).toEqual({ waiting: [], retained: [] });
});

test('what came after a purge is there after a kill, and over further starts', async () => {
  await publish(0);
  nowMs += 1000;
  await records.purge(DEVICE.id, nowMs * 1000);
  sayRemoved();
  nowMs += 1000;
  await leaveAndMiss(1, 2);
  await restart();
  expect((await heard()).retained).toEqual(['{"n":2}']);
  await restart();
  expect((await heard()).retained).toEqual(['{"n":2}']);
});

test('a purge elsewhere, of which the event was lost, is none either, for who is there already', async () => {
  await leaveAndMiss(1);
  const there = await door.signedIn('there');
  nowMs += 1000;
  await records.purge(DEVICE.id, nowMs * 1000);
  door.events.missed();
  await there.before();
  expect(await heard()).toEqual({ waiting: [], retained: [] });
});

test('a purge elsewhere that is not heard of yet is none either, once the next first client of the device comes', async () => {
  await door.mqtt.close(0);
  door = await openDoor({ disk, records, nowMs: () => nowMs, kept: () => kept, isShared: true });
  await leaveAndMiss(1);
  nowMs += 1000;
  await records.purge(DEVICE.id, nowMs * 1000);
  expect(await heard()).toEqual({ waiting: [], retained: [] });
});

test('a device of a lab whose last removal was long ago has nothing looked up as it comes again', async () => {
  await door.mqtt.close(0);
  const scan = vi.spyOn(records, 'scan');
  door = await openDoor({ disk, records, nowMs: () => nowMs, kept: () => kept, isShared: true });
  await publish(0);
  await records.purge(DEVICE.id, nowMs * 1000);
  sayRemoved();
  nowMs += 2 * 3_600_000;
  await leaveAndMiss(1, 2);
  scan.mockClear();
  expect(await heard()).toEqual({ waiting: ['{"n":1}', '{"n":2}'], retained: ['{"n":2}'] });
  expect(scan).not.toHaveBeenCalled();
});

test.each([
  ['a range', (from: number) => ({ range: { start: from, end: from + 60_000_000 } })],
  ['all records', (from: number) => ({ at: from })],
] as const)(
  'what came while a delete of %s waited for its turn, which the service was killed behind, is not brought back',
  async (_, removal) => {
    const created = nowMs * 1000;
    nowMs += 10;
    await leaveAndMiss(1);
    const what = removal(created);
    await records.keep(DEVICE.id, 'first', what);
    kept = [
      {
        kind: 'at' in what ? 'purge' : 'range',
        created,
        start: null,
        end: null,
        records: null,
        ...('range' in what && what.range),
      },
    ];
    nowMs += 10;
    await publish(2);
    await restart();
    expect(await heard()).toEqual({ waiting: ['{"n":2}'], retained: ['{"n":2}'] });
  },
);

test('a record that a delete took which is kept no more is not brought back, though others lie between those of its message', async () => {
  const [first, last] = [nowMs - 3_600_000, nowMs - 60_000];
  await publishText(`[{"n":1,"timestamp":${first}},{"n":2,"timestamp":${last}}]`);
  const others = [1, 2, 3].map((n) => `{"n":${n},"timestamp":${first + n}}`);
  for (const other of others) await store(other);
  nowMs += 1000;
  await records.deleteRange(DEVICE.id, { start: last * 1000, end: last * 1000 });
  // Of the device something else went, too.
  kept = [{ kind: 'range', created: nowMs * 1000, start: 0, end: 1, records: 1 }];
  nowMs += 1000;
  await store(`{"n":4,"timestamp":${last}}`);
  await restart();
  expect((await heard()).retained).toEqual([]);
});

/** Stores a record that nobody retains. */
async function store(text: string): Promise<void> {
  const client = await door.signedIn('other');
  client.send(publishOf(DEVICE, text, { qos: 1, messageId: 1 }));
  expect(await client.next()).toMatchObject({ cmd: 'puback', reasonCode: 0 });
  client.send({ cmd: 'disconnect', reasonCode: 0 });
  await client.ended();
}

test('what went while a message before it was still being stored is handed to nobody', async () => {
  await leaveAndMiss();
  const append = records.append.bind(records);
  const [begun, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  records.append = async (device, stored, options) => {
    begun.resolve();
    if (stored.length === 2) await slow.promise;
    return append(device, stored, options);
  };
  const client = await door.signedIn('sender');
  client.send(publishOf(DEVICE, '[{"n":1},{"n":2}]', { qos: 1, messageId: 1 }));
  await begun.promise;
  nowMs += 1000;
  client.send(publishOf(DEVICE, '{"n":3}', { qos: 1, messageId: 2, retain: true }));
  const many = JSON.stringify(Array.from({ length: 33 }, (_, n) => ({ n })));
  client.send(publishOf(DEVICE, many, { qos: 1, messageId: 3, retain: true }));
  await expect.poll(() => records.count(DEVICE.id)).toBe(34);
  nowMs += 1000;
  await records.purge(DEVICE.id, nowMs * 1000);
  sayRemoved();
  slow.resolve();
  for (const messageId of [1, 2, 3])
    expect(await client.nextOf('puback')).toMatchObject({ messageId, reasonCode: 0 });
  expect(await heard()).toEqual({ waiting: ['[{"n":1},{"n":2}]'], retained: [] });
});
