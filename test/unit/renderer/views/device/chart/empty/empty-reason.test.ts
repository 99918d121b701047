import { expect, test } from 'vitest';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { NEVER_SEEN, parseInstant } from '#shared/values/time.ts';
import { whyEmpty } from '../../../../../../../renderer/views/device/chart/empty/empty-reason.ts';

const fresh: DeviceSummary = {
  records: 0,
  first: null,
  last: null,
  last_seen: NEVER_SEEN,
  purged_at: null,
  source: 'http',
  interval_s: null,
  bytes: 0,
  keys: [],
};
const filled: DeviceSummary = {
  ...fresh,
  records: 3,
  first: '2026-03-02T20:30:21.202946Z',
  last: '2026-03-02T20:40:21.202946Z',
  last_seen: '2026-03-02T20:40:22Z',
  keys: [
    { key: 'note', count: 3, numeric: 0 },
    { key: 'temperature', count: 3, numeric: 3 },
  ],
};
const shown = { nothing: false, range: null, keys: 1 };

test('a chart with data has no reason to be empty', () => {
  expect(whyEmpty(filled, shown)).toBeNull();
});

test('never stored, purged and otherwise removed are told apart', () => {
  expect(whyEmpty(fresh, shown)).toEqual({ kind: 'never-stored' });
  const purged = { ...fresh, last_seen: filled.last_seen, purged_at: '2026-03-03T00:00:00Z' };
  expect(whyEmpty(purged, shown)).toEqual({ kind: 'purged', at: parseInstant('2026-03-03T00:00:00Z') });
  expect(whyEmpty({ ...fresh, last_seen: filled.last_seen }, shown)).toEqual({ kind: 'removed' });
});

test('text alone cannot be charted, and says which keys hold it', () => {
  const texts = { ...filled, keys: filled.keys.slice(0, 1) };
  expect(whyEmpty(texts, { ...shown, keys: 0 })).toEqual({ kind: 'no-numbers', keys: ['note'] });
});

test('no key picked and nothing in range are reasons, too', () => {
  expect(whyEmpty(filled, { ...shown, keys: 0 })).toEqual({ kind: 'no-keys-picked' });
  expect(whyEmpty(filled, { nothing: true, range: 'Last hour', keys: 1 })).toEqual({
    kind: 'out-of-range',
    range: 'Last hour',
    last: parseInstant('2026-03-02T20:40:21.202946Z'),
  });
});

test('bytes without values are no texts that hold something', () => {
  const key = (name: string, numeric = 0) => ({ key: name, count: 3, numeric });
  const bytes = { ...filled, keys: [key('uplink.bytes'), key('uplink.error'), key('uplink.port', 3)] };
  expect(whyEmpty(bytes, { ...shown, keys: 0 })).toEqual({ kind: 'not-decoded' });
  // Somebody chose the port.
  expect(whyEmpty(bytes, shown)).toBeNull();
  const beside = { ...bytes, keys: [...bytes.keys, key('temperature', 3)] };
  expect(whyEmpty(beside, { ...shown, keys: 0 })).toEqual({ kind: 'no-keys-picked' });
});
