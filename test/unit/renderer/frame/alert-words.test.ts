import { describe, expect, test } from 'vitest';
import type { AlertedDevice, RangedValue } from '#shared/operations/metadata/alerts.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import {
  counterName,
  counterText,
  rowOfChange,
  rowOfState,
} from '../../../../renderer/frame/alerts/alert-words.ts';
import { formatClock, formatLocal } from '../../../../renderer/time.ts';

/* What the counter and the list of alerts say. */

// Noon where the test runs, so that minutes before are of the same day.
const NOON: Micros = new Date(2026, 2, 2, 12).getTime() * 1000;
const MINUTE = 60e6;

const device = (more: Partial<AlertedDevice> = {}): AlertedDevice => ({
  id: 'd',
  name: 'Boiler 3',
  project_id: 'p',
  project: 'Hall',
  status: 'online',
  interval_s: null,
  last_seen: formatMicros(NOON - 20 * MINUTE),
  late_since: null,
  corrected: false,
  values: [],
  ...more,
});

const supply: RangedValue = {
  key: 'temp_supply',
  value: 31.25,
  timestamp: formatMicros(NOON),
  outside: true,
  corrected: false,
  shown_as: 'Supply',
  unit: '°C',
  decimals: 1,
  low: null,
  high: 30,
};

test('the counter says what is wrong, and its name what is new', () => {
  expect(counterText({ late: 0, outside: 0 })).toBe('');
  expect(counterText({ late: 1234, outside: 1 })).toBe('1,234 late, 1 outside');
  expect(counterName({ late: 0, outside: 0 }, 0)).toBe('Alerts: nothing late or outside');
  expect(counterText({ late: 0, outside: 2 }, 1)).toBe('1 alarm, 2 outside');
  expect(counterName({ late: 3, outside: 0 }, 0, 12)).toBe('Alerts: 12 alarms, 3 late');
  expect(counterName(null, 0)).toBe('Alerts: not known yet');
  expect(counterName({ late: 3, outside: 0 }, 2)).toBe('Alerts: 3 late, 2 new since you last looked');
});

describe('a row', () => {
  test('of a late device says since when, by which rule, and shows its last records', () => {
    const late = device({ late_since: formatMicros(NOON - 5 * MINUTE) });
    const row = rowOfState(late, null, NOON);
    expect(row).toMatchObject({
      words: 'Late: nothing for more than 15 min',
      when: `since ${formatClock(NOON - 5 * MINUTE)}`,
    });
    expect([row.from, row.to]).toEqual([NOON - 50 * MINUTE, NOON + 25 * MINUTE]);
    expect(rowOfState(device({ ...late, interval_s: 60 }), null, NOON).words).toContain('more than 2 min');
  });

  test('of a change that was noticed late says between which times it came about, and shows all of that', () => {
    const change = { kind: 'outside' as const, device: device(), value: supply, times: 3 };
    const night = rowOfChange({ ...change, at: NOON, after: NOON - 14 * 60 * MINUTE }, NOON);
    expect(night.words).toBe(
      'Supply 31.3\u00A0°C, outside its normal range, up to 30\u00A0°C · changed 3 times',
    );
    expect(night.when).toBe(`between ${formatLocal(NOON - 14 * 60 * MINUTE)} and ${formatClock(NOON)}`);
    expect([night.from, night.to]).toEqual([NOON - 14.5 * 60 * MINUTE, NOON + 30 * MINUTE]);
    const soon = rowOfChange({ ...change, times: 1, at: NOON, after: NOON - 10e6 }, NOON);
    expect(soon.when).toBe(`since ${formatClock(NOON)}`);
    expect(soon.words).not.toContain('changed');
  });

  test('of a value that is back and of a device that sends again says so', () => {
    const at = { at: NOON, after: NOON, times: 1 };
    const back = { ...supply, value: 21, outside: false };
    expect(rowOfChange({ kind: 'inside', device: device(), value: back, ...at }, NOON).words).toBe(
      'Supply 21.0\u00A0°C, back in its normal range, up to 30\u00A0°C',
    );
    expect(rowOfChange({ kind: 'back', device: device(), value: null, ...at }, NOON).words).toBe(
      'Sends again, was late',
    );
  });
});
