import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { formatMicros, NEVER_SEEN } from '#shared/values/time.ts';
import {
  deviceMatcher,
  filterText,
  parseFilter,
  toggled,
} from '../../../../../renderer/views/devices/shown/device-filter.ts';

const NOW = Date.UTC(2026, 0, 15) * 1000;
const MINUTE = 60e6;

function device(name: string, minutes: number | null, more: Partial<FoundDevice> = {}): FoundDevice {
  return {
    id: `${name}-0000-0000`,
    name,
    description: '',
    brand: 'Acme',
    model: 'T10',
    avatar: '',
    last_seen: minutes === null ? NEVER_SEEN : formatMicros(NOW - minutes * MINUTE),
    tags: [],
    source: 'http',
    records: 0,
    newest: null,
    status: 'online',
    interval_s: null,
    values: [],
    outside: false,
    corrected: false,
    ...more,
  };
}

const DEVICES = [
  device('live', 1, { tags: ['line-3', 'cold'] }),
  device('late', 30, { tags: ['line-3'], source: 'mqtt' }),
  device('silent', 3000, { tags: ['line 4'], outside: true }),
  device('new', null, { description: 'status:late' }),
];

const found = (text: string) => DEVICES.filter(deviceMatcher(parseFilter(text), NOW)).map(({ name }) => name);

describe('a filter', () => {
  test.each([
    ['', ['live', 'late', 'silent', 'new']],
    ['status:late', ['late', 'silent']],
    ['status:silent', ['silent']],
    ['STATUS:Never,online', ['live', 'new']],
    ['status:outside', ['silent']],
    ['tag:line-3', ['live', 'late']],
    ['tag:line-3 tag:cold', ['live']],
    ['tag:cold,"line 4"', ['live', 'silent']],
    ['-tag:cold tag:line-3', ['late']],
    ['tag:"line 4"', ['silent']],
    ['source:mqtt', ['late']],
    ['source:http li status:online', ['live']],
    // What is no condition is looked for as it stands.
    ['status:lat', ['new']],
    ['status:', ['new']],
    ['-status:late', []],
    ['acme t10', ['live', 'late', 'silent', 'new']],
  ])('%s', (text, names) => {
    expect(found(text)).toEqual(names);
  });

  test('is read again as it was written, whatever its tags are', () => {
    // A tag is trimmed, and a quote in one cannot be written.
    const value = fc
      .string({ minLength: 1, maxLength: 8 })
      .map((text) => text.replaceAll('"', '').trim())
      .filter((text) => text !== '');
    const values = fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(values, fc.boolean()), { maxLength: 3 }), (tags) => {
        const conditions = tags.map(([each, not]) => ({ field: 'tag' as const, not, values: each }));
        expect(parseFilter(filterText({ conditions, words: 'pump 4' }))).toEqual({
          conditions,
          words: 'pump 4',
        });
      }),
    );
  });

  test('has a value added or taken away by a menu', () => {
    const step = (text: string, ...change: [field: 'status' | 'tag', value: string, not?: boolean]) =>
      filterText(toggled(parseFilter(text), ...change));
    expect(step('pump', 'status', 'late')).toBe('status:late pump');
    expect(step('status:late pump', 'status', 'never')).toBe('status:late,never pump');
    expect(step('status:late,never pump', 'status', 'late')).toBe('status:never pump');
    expect(step('status:never pump', 'status', 'never')).toBe('pump');
    expect(step('tag:a', 'tag', 'line 3', true)).toBe('tag:a -tag:"line 3"');
  });
});
