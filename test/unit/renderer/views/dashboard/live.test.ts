import { describe, expect, test } from 'vitest';
import type { DeviceSummary, FoundDevice } from '#shared/operations/metadata/devices.ts';
import { askedBy, groupsOf } from '../../../../../renderer/stores/dashboard/live-groups.ts';
import { LiveStore } from '../../../../../renderer/views/dashboard/live/live-store.ts';
import { grown } from '../../../../../renderer/views/dashboard/widget/grown.ts';

const AT = '2026-01-05T08:00:00.000000Z';
const LATER = '2026-01-05T08:00:01.000000Z';

function found(id: string, records: number, value: number | null): FoundDevice {
  const values =
    value === null ? [] : [{ key: 'bar', value, timestamp: AT, outside: false, corrected: false }];
  return { id, name: id, records, newest: AT, values } as unknown as FoundDevice;
}

describe('what is asked for', () => {
  test('is one question for each key, however many widgets show it', () => {
    const sources = ['b', 'a', 'b'].map((device_id) => ({ device_id, key: 'bar' }));
    const groups = groupsOf('p', [...sources, { device_id: 'a', key: 'acid' }]);
    expect(groups.map(askedBy)).toEqual([
      { project_id: 'p', key: 'acid', ids: ['a'] },
      { project_id: 'p', key: 'bar', ids: ['a', 'b'] },
    ]);
  });

  test('is of at most 300 devices at once', () => {
    const sources = Array.from({ length: 700 }, (_, n) => ({ device_id: `d${n}`, key: 'bar' }));
    expect(groupsOf('p', sources).map((group) => askedBy(group).ids.length)).toEqual([300, 300, 100]);
  });
});

describe('what is known of sources', () => {
  const [group = ''] = groupsOf('p', [
    { device_id: 'a', key: 'bar' },
    { device_id: 'gone', key: 'bar' },
  ]);
  const a = { device_id: 'a', key: 'bar' };

  test('is told to who listens when it is otherwise, and stays the same object while it is not', () => {
    const store = new LiveStore();
    let told = 0;
    store.subscribe(() => told++);
    store.learn([[group, { value: [found('a', 1, 5)], error: null }]]);
    const first = store.of(a);
    expect([first.value?.value, first.isKnown, told]).toEqual([5, true, 1]);
    store.learn([[group, { value: [found('a', 1, 5)], error: null }]]);
    expect([store.of(a) === first, told]).toEqual([true, 1]);
    store.learn([[group, { value: [found('a', 2, 6)], error: null }]]);
    expect([store.of(a).value?.value, told]).toEqual([6, 2]);
  });

  test('says which device is not there, which has stored nothing, and why it could not be asked', () => {
    const store = new LiveStore();
    expect(store.of(a)).toMatchObject({ isKnown: false, device: null });
    store.learn([[group, { value: null, error: null }]]);
    expect(store.of(a)).toMatchObject({ isKnown: false });
    store.learn([[group, { value: [found('a', 0, null)], error: null }]]);
    expect(store.of(a)).toMatchObject({ device: { id: 'a' }, value: null, isKnown: true });
    expect(store.of({ device_id: 'gone', key: 'bar' })).toMatchObject({ device: null, isKnown: true });
    store.learn([[group, { value: null, error: 'This key may not do that.' }]]);
    expect(store.of(a)).toMatchObject({ error: 'This key may not do that.' });
  });
});

describe('what a device has stored by now', () => {
  const summary = { records: 10, first: AT, last: AT, keys: [] } as unknown as DeviceSummary;

  test('has the records that came since', () => {
    const device = { ...found('a', 12, 5), newest: LATER };
    expect(grown(summary, device)).toEqual({ ...summary, records: 12, last: LATER });
    const empty = { ...summary, records: 0, first: null, last: null };
    expect(grown(empty, device)).toEqual({ ...empty, records: 12, first: LATER, last: LATER });
  });

  test('is the same object where none came, and where it was read after the last values', () => {
    expect(grown(summary, null)).toBe(summary);
    expect(grown(summary, found('a', 10, 5))).toBe(summary);
    expect(grown(summary, found('a', 3, 5))).toBe(summary);
  });

  test('ends with the last one, also where older ones came since', () => {
    const device = { ...found('a', 12, 5), newest: AT };
    expect(grown({ ...summary, last: LATER }, device).last).toBe(LATER);
  });
});
