import { expect, test } from 'vitest';
import { kindOf, storedAt } from '../../../../../renderer/components/facts/requests/request-words.ts';
import { filtered, isFiltered } from '../../../../../renderer/views/requests/request-filter.ts';
import { seenRequest } from '../../../../helpers/seen-request.ts';

const PLACES = { devices: new Map([['pump', 'Pümpe 7']]), projects: new Map() };
const ROWS = [
  seenRequest({
    id: 4,
    device_id: null,
    token: 'Zq9k',
    refused: true,
    status: 401,
    message: 'unknown',
    stored: 0,
  }),
  seenRequest({ id: 3, door: 'mqtts', method: 'CONNECT', operation: null, path: '', status: 0, stored: 0 }),
  seenRequest({ id: 2, device_id: 'oven', body: '{"pressure":180}' }),
  seenRequest({ id: 1 }),
];
const ids = (filter: Parameters<typeof filtered>[1]) => filtered(ROWS, filter, PLACES).map(({ id }) => id);

test('requests are found by door, outcome, operation or method, and device', () => {
  expect(ids({})).toEqual([4, 3, 2, 1]);
  expect(ids({ outcome: 'refused' })).toEqual([4]);
  expect(ids({ outcome: 'accepted', door: 'http' })).toEqual([2, 1]);
  expect(ids({ kind: 'CONNECT' })).toEqual([3]);
  expect(ids({ kind: 'ingest', device: 'oven' })).toEqual([2]);
  expect(ROWS.map(kindOf)).toEqual(['ingest', 'CONNECT', 'ingest', 'ingest']);
});

test('words are found in the body, the reason, the token and the name that the device has now', () => {
  expect(ids({ find: 'PRESSURE' })).toEqual([2]);
  expect(ids({ find: 'zq9k 401' })).toEqual([4]);
  expect(ids({ find: 'pumpe' })).toEqual([3, 1]);
  expect(ids({ find: 'mqtt tls' })).toEqual([3]);
  const renamed = { ...PLACES, devices: new Map([['pump', 'Valve']]) };
  expect(filtered(ROWS, { find: 'valve' }, renamed).map(({ id }) => id)).toEqual([3, 1]);
  expect(isFiltered({ sort: { column: 'time', descending: true }, open: '7' })).toBe(false);
  expect(isFiltered({ find: 'x' })).toBe(true);
});

test('a stored record is looked for at its own time, else at that of its request', () => {
  const { time } = seenRequest({});
  const at = Date.UTC(2025, 11, 29, 9, 30) * 1000;
  expect(storedAt({ time, body: '{"n":1, "timestamp" : "2025-12-29T09:30:00Z"}' })).toBe(at);
  // The end was cut off.
  expect(storedAt({ time, body: '[{"timestamp":"2025-12-29T09:30:00Z","n":1},{"ti…' })).toBe(at);
  const received = Date.UTC(2026, 0, 5, 8) * 1000;
  for (const body of [null, '{"n":1}', '{"timestamp":"soon"}'])
    expect(storedAt({ time, body })).toBe(received);
});
