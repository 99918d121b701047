import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Successors } from '#core/api/corrections/successors.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import { createLogger } from '#core/base/logger.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import type { RecordStore } from '#core/store/store.ts';
import { createMemoryMetadata } from '../../helpers/store/memory-metadata.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { aDevice, aProject } from '../../suites/metadata/rows.ts';

/* Cost of telling successors of the devices before them, while devices store 100,000 records a second. */

const OF = { account_id: 'a', project_id: 'p' };
const UNTIL = 1000;

/** Devices "old" and "new", and how often the metadata and the records are asked. */
async function opened({ isReplaced }: { readonly isReplaced: boolean }) {
  const asked = { metadata: 0, records: 0 };
  const events = createEventBus();
  const tables = createMemoryMetadata();
  const store = createMemoryRecordStore();
  await tables.change(async (writable) => {
    await writable.insert('projects', aProject('p'));
    for (const [n, id] of ['old', 'new'].entries()) await writable.insert('devices', aDevice(id, 'p', n));
    const what = { kind: 'replaced', device_id: 'old', until: UNTIL } as const;
    const version = { version: 1, changed: 1, by: 'app', reason: '' };
    if (isReplaced)
      await writable.insert('corrections', {
        id: 'c',
        project_id: 'p',
        device_id: 'new',
        what,
        ...version,
        created: 1,
      });
  });
  const metadata: Metadata = { ...tables, read: (look) => (asked.metadata++, tables.read(look)) };
  const within: RecordStore['within'] = (...query) => (asked.records++, store.within(...query));
  const records: RecordStore = { ...store, within };
  const heard: string[] = [];
  const page = events.subscriber((event) => {
    if (event.topic === 'corrections.changed') heard.push(event.payload.device_id);
  });
  page.subscribe('corrections.changed');
  const successors = new Successors({
    metadata,
    records,
    events,
    log: createLogger(() => expect.unreachable()),
  });
  return {
    asked,
    heard,
    changed: (topic: 'devices.changed' | 'corrections.changed', device_id: string) =>
      events.publish(topic, { ...OF, device_id }),
    stored: (device_id: string) => events.publish('records.stored', { ...OF, device_id, count: 1 }),
    async store(timestamp: number) {
      await store.append('old', [{ timestamp, received: timestamp, keys: ['a'], values: [1] }]);
      this.stored('old');
    },
    close: () => successors.close(),
  };
}

test('nothing is asked for devices without a successor once it is known that they have none', async () => {
  const world = await opened({ isReplaced: false });
  world.stored('old');
  await expect.poll(() => world.asked.metadata).toBe(1);
  await turn();
  for (let i = 0; i < 10_000; i++) world.stored(`device-${i % 100}`);
  await turn();
  await world.close();
  expect(world.asked).toEqual({ metadata: 1, records: 0 });
});

test('a successor hears of what is of the time before it, and of nothing else', async () => {
  const world = await opened({ isReplaced: true });
  await world.store(UNTIL);
  await expect.poll(() => world.heard).toEqual(['new']);
  await world.store(UNTIL + 1);
  await expect.poll(() => world.asked.records).toBe(2);
  await world.store(1);
  await expect.poll(() => world.asked.records).toBe(3);
  await world.close();
  expect(world.heard).toEqual(['new', 'new']);
});

test('a successor does not hear again of what was before its own corrections changed', async () => {
  const world = await opened({ isReplaced: true });
  world.changed('devices.changed', 'old');
  world.changed('corrections.changed', 'new');
  await expect.poll(() => world.asked.records).toBe(1);
  await turn();
  expect(world.heard).toEqual(['new']);
  await world.store(1);
  await expect.poll(() => world.heard).toEqual(['new', 'new']);
  await world.close();
});
