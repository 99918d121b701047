import { beforeEach, expect, test } from 'vitest';
import { watchProblems } from '#core/api/rules/watch-problems.ts';
import { createMemoryMetadata } from '../../../helpers/store/memory-metadata.ts';
import { createMemoryRecordStore } from '../../../helpers/store/memory-record-store.ts';
import { aDevice, aFunction, aProject } from '../../../suites/metadata/rows.ts';
import { record } from '../../../suites/record-store/harness.ts';

/* What a rule says that watches less than it seems to (docs/functions.md, "Rules"). */

const TAG = { devices: { tag: 'boiler' } };
let metadata: ReturnType<typeof createMemoryMetadata>;
let records: ReturnType<typeof createMemoryRecordStore>;

beforeEach(async () => {
  metadata = createMemoryMetadata();
  records = createMemoryRecordStore();
  await metadata.change(async (tables) => {
    await tables.insert('projects', aProject('p'));
    for (const [n, id] of ['a', 'b', 'c'].entries())
      await tables.insert('devices', { ...aDevice(id, 'p', n), tags: ['boiler'] });
  });
});

async function said(condition: object, { device_id = null as string | null, most = 10_000 } = {}) {
  const row = await metadata.change((tables) =>
    tables.insert('functions', {
      ...aFunction('r', 'p', 'a'),
      device_id,
      type: 'rule',
      script: null,
      condition: condition as never,
    }),
  );
  const found = await watchProblems('p', [row], { metadata, records }, most);
  await metadata.change((tables) => tables.remove('functions', 'r'));
  return found.get('r') ?? null;
}

test('a key that its device never stored is said, with those that it has, the nearest first', async () => {
  const rule = { when: { key: 'flow', above: 3 } };
  expect(await said(rule, { device_id: 'a' })).toBeNull();
  await records.append('a', [record(1, { door: 'open', a1: 1, a2: 1, a3: 1, a4: 1, Flow_temperature: 20 })]);
  expect(await said(rule, { device_id: 'a' })).toBe(
    'No record of "a" has "flow" so far; it has "Flow_temperature", "a1", "a2", "a3", "a4" and 1 more.',
  );
  const both = {
    when: {
      all: [
        { key: 'flow', above: 3 },
        { key: 'gone', is: 1 },
        { key: 'door', is: 'shut' },
      ],
    },
  };
  expect(await said(both, { device_id: 'a' })).toContain('has "flow" or "gone" so far');
  expect(await said({ when: { silent_s: 5 } }, { device_id: 'a' })).toBeNull();
  await records.append('a', [record(2, { flow: 'a text' })]);
  expect(await said(rule, { device_id: 'a' })).toBeNull();
});

test('of a tag it is enough that one of the devices has it', async () => {
  const rule = { when: { key: 'flow', above: 3 }, ...TAG };
  await records.append('a', [record(1, { t: 1 })]);
  await records.append('b', [record(1, { t: 1, u: 1 })]);
  expect(await said(rule)).toBe(
    'No record of the devices with the tag "boiler" has "flow" so far; they have "t" and "u".',
  );
  await records.append('c', [record(1, { flow: 1 })]);
  expect(await said(rule)).toBeNull();
});

test('more devices than a rule watches are said, with how many there are', async () => {
  const rule = { when: { key: 't', above: 3 }, ...TAG };
  expect(await said(rule, { most: 3 })).toBeNull();
  expect(await said(rule, { most: 2 })).toContain(
    'The tag "boiler" is of 3 devices, and a rule watches at most 2: those that were made first.',
  );
  expect(await said({ ...rule, devices: { tag: 'other' } }, { most: 2 })).toBeNull();
});
