import { describe, expect, test } from 'vitest';
import { matches } from '#shared/text.ts';
import { NEVER_SEEN, parseInstant } from '#shared/time.ts';
import { countOf, formatBytes, formatDuration } from '../../../renderer/format.ts';
import { hrefTo, parseRoute, type Route } from '../../../renderer/router.ts';
import { formatClock, formatLocal, formatRelative, lastSeenOf, zoneOffset } from '../../../renderer/time.ts';
import { curlSnippet } from '../../../renderer/components/curl-snippet.ts';
import { errorOf } from '../../../renderer/components/field-error.ts';
import { fileName } from '../../../renderer/views/device/export/save-file.ts';

describe('times', () => {
  const local = (ms: number) => new Date(2026, 2, 2, 21, 30, 21, ms).getTime() * 1000;
  test('show the digits that an instant has, to the microsecond', () => {
    expect(formatLocal(local(0))).toBe('2026-03-02 21:30:21');
    expect(formatLocal(local(202) + 946)).toBe('2026-03-02 21:30:21.202946');
    expect(formatClock(local(500))).toBe('21:30:21.5');
  });
  test('are right before 1970', () => {
    expect(formatClock(new Date(1931, 0, 1, 6, 7, 8).getTime() * 1000 + 1)).toBe('06:07:08.000001');
  });
  test('name the offset of the local zone', () => {
    expect(zoneOffset(local(0))).toMatch(/^UTC[+−]\d{2}:\d{2}$/);
  });
  test('relative ones count whole units', () => {
    const now = 1e15;
    const ago = (seconds: number) => formatRelative(now - seconds * 1e6, now);
    expect([5, 60, 119, 7200, 172_800].map(ago)).toEqual([
      'just now',
      '1 minute ago',
      '1 minute ago',
      '2 hours ago',
      '2 days ago',
    ]);
  });
  test('the zero timestamp is "never"', () => {
    expect(lastSeenOf({ last_seen: NEVER_SEEN })).toBeNull();
    expect(lastSeenOf({ last_seen: '2026-03-02T20:30:21Z' })).toBe(parseInstant('2026-03-02T20:30:21Z'));
  });
});

describe('numbers', () => {
  test('counts agree with their noun', () => {
    expect([countOf(0, 'record'), countOf(1, 'record'), countOf(22_695, 'record')]).toEqual([
      '0 records',
      '1 record',
      '22,695 records',
    ]);
  });
  test('bytes keep three digits', () => {
    expect([0, 999, 1000, 12_345, 999_499, 999_500, 1.5e12].map(formatBytes)).toEqual([
      '0 bytes',
      '999 bytes',
      '1.00 KB',
      '12.3 KB',
      '999 KB',
      '1.00 MB',
      '1.50 TB',
    ]);
  });
  test('durations use two units', () => {
    expect([3.4, 200, 7500].map(formatDuration)).toEqual(['3 s', '3 min 20 s', '2 h 5 min']);
  });
});

describe('addresses', () => {
  test('every screen is found again by its address', () => {
    const routes: Route[] = [
      { screen: 'projects' },
      { screen: 'devices', project_id: 'a/b?c' },
      { screen: 'device', project_id: '1', device_id: '2', tab: 'chart' },
      { screen: 'device', project_id: '1', device_id: '2', tab: 'credentials' },
      {
        screen: 'device',
        project_id: '1',
        device_id: '2',
        tab: 'table',
        chart: {
          keys: ['a b', 'ü&=?#/%', 'constructor'],
          range: '7d',
          window: { from: 1_000_001, to: 2_000_000 },
          far: true,
        },
      },
      { screen: 'device', project_id: '1', device_id: '2', tab: 'chart', chart: { keys: [] } },
      { screen: 'api-keys' },
      { screen: 'service' },
    ];
    for (const route of routes) expect(parseRoute(hrefTo(route))).toEqual(route);
  });
  test('what an address says wrong of a chart counts as not said', () => {
    const device = { screen: 'device', project_id: '1', device_id: '2', tab: 'chart' };
    for (const query of ['', '?', '?range=5y&far=yes', '?from=2026-01-01T00:00:00Z', '?x=%', '?from=b&to=a'])
      expect(parseRoute(`#/projects/1/devices/2${query}`)).toEqual(device);
    const backwards = '?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z&keys=a,,a,b&range=1h';
    expect(parseRoute(`#/projects/1/devices/2${backwards}`)).toEqual({
      ...device,
      chart: { keys: ['a', 'b'], range: '1h' },
    });
  });
  test('what leads nowhere says so', () => {
    for (const address of [
      '#/projekte',
      '#/projects/1/devices',
      '#/projects/1/devices/2/x',
      '#/service/1',
      '#/%',
    ])
      expect(parseRoute(address)).toEqual({ screen: 'unknown', address });
  });
});

test('a search finds every word, whatever its case and accents', () => {
  expect(matches('kaltwasser GERAT', 'Gerät 7', 'Kaltwasser Süd')).toBe(true);
  expect(matches('warm', 'Gerät 7', 'Kaltwasser Süd')).toBe(false);
  expect(matches('  ', 'anything')).toBe(true);
});

describe('the curl command', () => {
  const doors = {
    base_url: 'https://127.0.0.1:7443',
    http_url: 'http://127.0.0.1:7480',
    ca_file: "/home/o'hara/ca.pem",
  };
  test('uses the plain door where there is one', () => {
    const command = curlSnippet(doors, 'secret');
    expect(command).toContain("curl 'http://127.0.0.1:7480/integrations/http'");
    expect(command).toContain("'Authorization: Bearer secret'");
    expect(command).not.toContain('--cacert');
  });
  test('names the certificate authority over HTTPS, quoted for the shell', () => {
    const command = curlSnippet({ ...doors, http_url: null }, 'secret');
    expect(command).toContain("curl 'https://127.0.0.1:7443/integrations/http'");
    expect(command).toContain(`--cacert '/home/o'\\''hara/ca.pem'`);
  });
});

test('an error belongs to the field that its message begins with', () => {
  expect(errorOf('name must be text of 1 to 100 characters, got ""', 'name')).not.toBeNull();
  expect(errorOf('tags.0 must be …', 'tags')).not.toBeNull();
  expect(errorOf('names must differ', 'name')).toBeNull();
});

test('an export has a name that every file system takes', () => {
  expect(fileName('Pump 1/2: "north"?.csv')).toBe('Pump 1-2- -north-.csv');
  expect(fileName('..')).toBe('records');
});
