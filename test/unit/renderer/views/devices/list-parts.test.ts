import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import { describe, expect, test } from 'vitest';
import type { FoundDevice, FoundValue } from '#shared/operations/metadata/devices.ts';
import { fitTracks } from '../../../../../renderer/components/table/fit-columns.ts';
import { nameColumn } from '../../../../../renderer/components/table/usual-columns.ts';
import type { DeviceColumn } from '../../../../../renderer/views/devices/shown/device-column.ts';
import { devicesTail } from '../../../../../renderer/views/devices/shown/devices-address.ts';
import {
  commonKeys,
  nameWidth,
  tailOf,
  writtenAs,
} from '../../../../../renderer/views/devices/shown/shown-keys.ts';
import { createSorter, FIRST_SORT, orderOf } from '../../../../../renderer/views/devices/shown/sorting.ts';
import { trendPath } from '../../../../../renderer/chart/draw/trend-path.ts';

const value = (key: string, number: number): FoundValue => ({
  key,
  value: number,
  timestamp: '2026-01-01T00:00:00Z',
  outside: false,
  corrected: false,
});

function device(name: string, values: readonly FoundValue[] = []): FoundDevice {
  return {
    id: name,
    name,
    description: '',
    brand: '',
    model: '',
    avatar: '',
    last_seen: '',
    tags: [],
    source: 'http',
    records: 0,
    newest: null,
    status: 'never',
    interval_s: null,
    values: [...values],
    outside: false,
    corrected: false,
  };
}

const column = (id: string, more: Partial<DeviceColumn> = {}): DeviceColumn => ({
  id,
  header: id,
  width: '100px',
  cell: () => null,
  ...more,
});

describe('the order of rows', () => {
  const first = (one: FoundDevice) => Number(one.values[0]?.value ?? 0);
  const columns = [
    column('name', { compare: (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)) }),
    column('t', { compare: (a, b) => first(a) - first(b), has: ({ values }) => values.length > 0 }),
  ];
  const names = (sort: { column: string; descending: boolean }, devices: readonly FoundDevice[]) =>
    createSorter()(devices, orderOf(columns, sort)).map(({ name }) => name);
  const some = [device('c', [value('t', -5)]), device('b'), device('a', [value('t', 3)]), device('d')];

  test('has what a column knows nothing of at its end, in either direction', () => {
    expect(names({ column: 't', descending: false }, some)).toEqual(['c', 'a', 'b', 'd']);
    expect(names({ column: 't', descending: true }, some)).toEqual(['a', 'c', 'b', 'd']);
    expect(names({ column: 'gone', descending: true }, some)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('is one function by name, whatever the other columns are: those order nothing anew', () => {
    const name = () => nameColumn<FoundDevice>('1fr', () => null);
    expect(orderOf([name()], FIRST_SORT)).toBe(orderOf([name(), column('t')], FIRST_SORT));
  });

  test('follows what comes, goes and changes', () => {
    const sort = createSorter();
    const order = orderOf(columns, { column: 't', descending: true });
    sort(some, order);
    const next = [device('e', [value('t', 9)]), device('c', [value('t', 4)]), device('a', [value('t', 3)])];
    expect(sort(next, order).map(({ name }) => name)).toEqual(['e', 'c', 'a']);
  });
});

test('columns go by their rank where there is no room for all, and those without one stay', () => {
  const columns = [
    column('name'),
    column('a', { rank: 2 }),
    column('b', { rank: 1 }),
    column('c', { rank: 3 }),
  ];
  // Beside the columns of ticks and of the menu.
  const shown = (width: number) => fitTracks(columns, width - 84).map(({ id }) => id);
  expect(shown(1000)).toEqual(['name', 'a', 'b', 'c']);
  expect(shown(400)).toEqual(['name', 'a', 'c']);
  expect(shown(300)).toEqual(['name', 'c']);
  expect(shown(50)).toEqual(['name']);
});

test('keys have columns of their own where most devices have them', () => {
  const alike = [1, 2, 3].map((n) => device(`d${n}`, [value('t', n), value('h', n)]));
  expect(commonKeys(alike)).toEqual(['t', 'h']);
  const unlike = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'i'].map((key) => device(key, [value(key, 1)]));
  expect(commonKeys([...alike.slice(0, 1), ...unlike])).toEqual([]);
  expect(commonKeys([])).toEqual([]);
  // One among many: no column of empty cells.
  const odd = device('odd', [value('a1', 1), value('a2', 1)]);
  const many = Array.from({ length: 4 }, () => alike).flat();
  expect(commonKeys([odd, ...many])).toEqual(['t', 'h']);
});

test('numbers of a column are written alike, and the longest has room', () => {
  const plain = [60.5, 60, -1060.1].map((n, at) => device(`d${at}`, [value('t', n)]));
  expect(writtenAs(plain, 't', () => NO_SETTINGS)).toEqual({
    decimals: 1,
    length: '−1,060.1'.length,
    tail: 0,
  });
  const kelvin = { ...NO_SETTINGS, unit: 'K', decimals: 2 };
  expect(writtenAs(plain, 't', () => kelvin).length).toBe('−1,060.10 K'.length);
  expect(writtenAs([], 't', () => NO_SETTINGS)).toEqual({ decimals: 0, length: 0, tail: 0 });
});

test('numbers stand under each other at their decimal point, whatever each device says of its digits', () => {
  const [one, two] = [device('one', [value('t', 60.5)]), device('two', [value('t', 1013.25)])];
  const settingsOf = (id: string) => ({ ...NO_SETTINGS, unit: 'hPa', decimals: id === 'one' ? 0 : 2 });
  // "61 hPa" and "1,013.25 hPa": as many digits before the point as the one, as many behind it as the other.
  expect(writtenAs([one, two], 't', settingsOf)).toMatchObject({
    length: '1,013.25 hPa'.length,
    tail: '.25 hPa'.length,
  });
  expect(['60.5\u00A0°C', '60\u00A0°C', '−1,013', '12.5\u00A0m.s', 'true'].map(tailOf)).toEqual([
    '.5\u00A0°C',
    '\u00A0°C',
    '',
    '.5\u00A0m.s',
    '',
  ]);
});

test('names have the room that the longest takes, within limits', () => {
  const named = (name: string, tags: string[] = []) => ({ ...device(name), tags });
  expect(nameWidth([])).toBe(120);
  expect(nameWidth([named('PT-1'), named('PT-100')])).toBe(120);
  const long = nameWidth([named('PT-1'), named('Vorlauf Kesselhaus')]);
  expect(long).toBeGreaterThan(170);
  expect(nameWidth([named('Vorlauf Kesselhaus'), named('PT-1')])).toBe(long);
  // Letters that are squares take more.
  expect(nameWidth([named('温度传感器北车间温度传感器北车间')])).toBeGreaterThan(
    nameWidth([named('x'.repeat(16))]),
  );
  expect(nameWidth([named('PT-1', ['hydraulic', 'hall 2', 'spare'])])).toBeGreaterThan(120);
  expect(nameWidth([named('x'.repeat(100))])).toBe(340);
});

test('a trend has gaps where nothing was stored for long, and a lone record is seen', () => {
  const columns = (numbers: Readonly<Record<number, number>>) =>
    Array.from({ length: 30 }, (_, at) => numbers[at] ?? null);
  const path = (numbers: Readonly<Record<number, number>>) =>
    trendPath({ min: columns(numbers), max: columns(numbers) }, 22);
  expect(path({})).toBe('');
  expect(path({ 4: 7 })).toBe('M4 11h1');
  expect(path({ 0: 0, 2: 10 })).toBe('M0 21L2 1');
  expect(path({ 0: 0, 20: 10 })).toBe('M0 21h1M20 1h1');
  // On a scale of others it lies where its values do, and beyond it along the edge.
  const numbers = columns({ 0: 0, 1: 10, 2: 99 });
  expect(trendPath({ min: numbers, max: numbers }, 22, { least: -10, most: 10 })).toBe('M0 11L1 1L2 1');
});

test('the address of a list is read as it was written, and what is wrong in it counts as not said', () => {
  const list = {
    filter: 'status:late tag:"a b"',
    sort: { column: 'value:temp & co', descending: true },
    columns: ['status', 'seen'],
    keys: ['temp & co', 'ü'],
    trend: 'temp, supply & co',
    view: 'wall' as const,
  };
  const text = devicesTail.text({ list });
  expect(devicesTail.parse([], text.slice(1))).toEqual({ list });
  expect(devicesTail.text({})).toBe('');
  expect(devicesTail.parse([], 'q=&sort=&keys=,&trend=&view=tree&other=1')).toEqual({});
  expect(devicesTail.parse(['devices'], '')).toBe(null);
});
