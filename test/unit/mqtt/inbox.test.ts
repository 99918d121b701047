import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Hub } from '#core/mqtt/sessions/hub.ts';
import { Room } from '#core/mqtt/sessions/room.ts';
import { Inbox } from '#core/mqtt/connection/inbox.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { clockOf } from '../../helpers/clock.ts';

test('a QoS 2 message that is read until its client has released it elsewhere is stored once, and takes no identifier', async () => {
  const log = new Proxy({}, { get: () => () => Promise.resolve() }) as never;
  const hub = new Hub({
    log,
    room: new Room(1e6),
    clock: clockOf(() => 0),
    chance: systemRandom,
    ended: () => {},
    failed: () => {},
    dropped: () => {},
  });
  const link = () => ({ wake: () => {}, end: () => {} });
  const asked = { device: 'd', clientId: 'c', isClean: false, expiry: 100 };
  const stored: string[] = [];
  const receipts = new Set<string>();
  const gates: Promise<void>[] = [];
  let open = () => {};
  gates.push(new Promise<void>((resolve) => (open = resolve)));
  const recordsOf = (what: string) => ({ what, count: 0, records: [] });
  const ingest = {
    read: ({ bytes }: { bytes: Buffer }) =>
      (gates.shift() ?? Promise.resolve()).then(() => recordsOf(String(bytes))),
    store: async (_sender: unknown, { what }: ReturnType<typeof recordsOf>, receipt: string) => {
      if (receipts.has(receipt)) return;
      receipts.add(receipt);
      stored.push(what);
    },
  };
  const parts = {
    hub,
    removals: { heard: () => 0 },
    log,
    ingest,
    metadata: {
      read: (look: (tables: unknown) => unknown) =>
        look({ senderByTokenHash: () => ({ account_id: 'a', device: { id: 'd', project_id: 'p' } }) }),
    },
    clock: { now: () => 0 },
    refused: () => {},
    failed: (error: unknown) => expect.unreachable(String(error)),
  } as never;
  const inboxOf = async () => {
    const own = link();
    const { session } = await hub.connect(asked, own);
    return new Inbox(parts, {
      session,
      version: 5,
      tokenHash: 't',
      isCurrent: () => hub.isOf(session, own),
      wantsReasons: true,
      send: () => {},
      trace: { published() {} },
      memory: { enter: () => 0, give() {}, release() {} } as never,
      pause() {},
      resume() {},
      end() {},
      cut() {},
      sender: {} as never,
      faults: { isOn: false, publish: () => null },
    });
  };
  const one = (payload: string) =>
    ({
      cmd: 'publish',
      topic: 'd',
      payload: Buffer.from(payload),
      qos: 2,
      messageId: 1,
      dup: false,
      retain: false,
    }) as const;
  const a = await inboxOf();
  a.publish(one('A'));
  void a.close();
  const b = await inboxOf();
  b.publish(one('A'));
  await delay(5);
  b.release(1);
  await delay(5);
  open();
  await delay(5);
  b.publish(one('B'));
  await delay(5);
  expect(stored).toEqual(['A', 'B']);
});
