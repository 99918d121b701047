import { beforeEach, describe, expect, test } from 'vitest';
import { KEPT_ALARMS, overOf, trimAlarms } from '#core/api/alarms/trim-alarms.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import type { StoredAlarm } from '#core/store/metadata/metadata-schema.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { clockOf } from '../../../helpers/clock.ts';
import { createMemoryMetadata } from '../../../helpers/store/memory-metadata.ts';
import { aDevice, aFunction, anAlarm, aProject } from '../../../suites/metadata/rows.ts';

/* Which alarms are kept (docs/functions.md, "Alarms"). */

const OF = { project_id: 'p', device_id: 'd', function_id: 'f' };
const LIMITS = { ofRuleAndDevice: 3, ofProject: 5, us: 1000 };
const NOW = 10_000;

/** An alarm that began and ended then. */
const alarm = (start: number, fields: Partial<StoredAlarm> = {}): StoredAlarm => ({
  ...anAlarm(`${start} ${fields.device_id ?? 'd'} ${fields.function_id ?? 'f'}`, OF),
  start,
  end: start,
  sequence: start,
  ...fields,
});
const over = (rows: readonly StoredAlarm[], limits = LIMITS) => {
  const found = overOf(rows, NOW, limits);
  return [
    found.rows.map(({ start }) => start).toSorted((a, b) => a - b),
    Object.fromEntries(found.forgotten),
  ];
};
const waiting = (start: number) => {
  const row = alarm(start);
  return { ...row, acts: row.acts.map((act) => ({ ...act, state: 'waiting' as const, next: 1 })) };
};

describe('alarms of a rule and a device', () => {
  test('go when they ended long ago, and stay while they are open or have an act to do', () => {
    const rows = [alarm(8998), waiting(8999), alarm(9000), alarm(5, { end: null })];
    expect(over(rows)).toEqual([[8998], {}]);
    expect(
      over([alarm(1, { end: 9500 }), alarm(2, { withdrawn: 8999 }), alarm(3, { withdrawn: 9000 })]),
    ).toEqual([[2], {}]);
  });

  test('stay as the newest by their start, withdrawn ones apart', () => {
    const rows = [9904, 9901, 9903, 9902].map((start) => alarm(start));
    expect(over(rows)).toEqual([[9901], {}]);
    expect(over([...rows.slice(0, 3), alarm(9900, { withdrawn: 9950 })])).toEqual([[], {}]);
    expect(
      over([...rows.slice(0, 3), alarm(9902, { device_id: 'e' }), alarm(9902, { function_id: 'g' })]),
    ).toEqual([[], {}]);
  });
});

test('of a project with too many go the oldest, and their rules say up to when', () => {
  const rows = [9901, 9902, 9903, 9904, 9905].map((start, i) => alarm(start, { device_id: `d${i}` }));
  const other = alarm(9900, { function_id: 'g' });
  expect(over(rows)).toEqual([[], {}]);
  expect(over([...rows, other])).toEqual([[9900], { g: 9900 }]);
  // What of the rule ended at the same time goes, too: no firing up to then is looked for again.
  const same = alarm(9901, { device_id: 'other' });
  expect(over([...rows, same])).toEqual([[9901, 9901], { f: 9901 }]);
  const open = [1, 2, 3, 4, 5, 6].map((n) => alarm(n, { device_id: `d${n}`, end: null }));
  expect(over([...open, other])).toEqual([[9900], { g: 9900 }]);
});

describe('what is kept no more', () => {
  let metadata: Metadata;
  beforeEach(async () => {
    metadata = createMemoryMetadata();
    await metadata.change(async (tables) => {
      for (const id of ['p', 'q']) await tables.insert('projects', aProject(id));
      await tables.insert('devices', aDevice('d', 'p'));
      await tables.insert('functions', { ...aFunction('f', 'p', 'd'), type: 'rule', since: 1 });
      for (const start of [9901, 9902, 9903, 9904, 9905, 9906]) {
        const { sequence: _, ...row } = alarm(start, { id: `${start}`, device_id: `d${start}` });
        await tables.insert('alarms', row);
      }
    });
  });
  const left = async () => (await metadata.read((tables) => tables.list('alarms'))).map(({ id }) => id);

  test('is removed, the rule says so, and who shows it hears of it', async () => {
    const heard: unknown[] = [];
    const events = createEventBus();
    events.subscriber(({ payload }) => void heard.push(payload)).subscribe('alarms.changed');
    const context = { metadata, clock: clockOf(() => NOW), events };
    await trimAlarms(context, LIMITS);
    expect(await left()).toEqual(['9902', '9903', '9904', '9905', '9906']);
    expect((await metadata.read((tables) => tables.get('functions', 'f')))?.forgotten).toBe(9901);
    expect(heard).toEqual([{ account_id: 'a', project_id: 'p', device_id: 'd9901' }]);
    await trimAlarms(context, { ...LIMITS, ofProject: 3 });
    expect(await left()).toEqual(['9904', '9905', '9906']);
    expect((await metadata.read((tables) => tables.get('functions', 'f')))?.forgotten).toBe(9903);
    await trimAlarms(context);
    expect(await left()).toHaveLength(3);
    expect(KEPT_ALARMS).toEqual({ ofRuleAndDevice: 500, ofProject: 10_000, us: 7_776_000_000_000 });
  });
});
