import { assert, constantFrom, property, record, string, tuple, type Arbitrary } from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { hrefTo, parseRoute, placeOf, trailOf, type Route } from '../../../renderer/router.ts';
import { listedIn, takesFiles } from '../../../renderer/screens.tsx';

// Screens talk to the service; their addresses need none.
vi.mock('../../../renderer/bridge/bridge.ts', () => ({ bridge: {} }));

describe('addresses', () => {
  test('every screen is found again by its address', () => {
    const routes: Route[] = [
      { screen: 'projects' },
      { screen: 'devices', project_id: 'a/b?c' },
      { screen: 'device', project_id: '1', device_id: '2', tab: 'chart' },
      { screen: 'device', project_id: '1', device_id: '2', tab: 'connect' },
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

test('other ways to write the address of a screen lead there, too', () => {
  for (const address of ['', '#', '#/', '#/projects', '#projects', '#/projects?x=1'])
    expect(parseRoute(address)).toEqual({ screen: 'projects' });
  expect(parseRoute('#service?x')).toEqual({ screen: 'service' });
  expect(parseRoute('#/%61pi-keys')).toEqual({ screen: 'api-keys' });
});

test('whatever an id or a chart holds, its address leads back to it', () => {
  const id = string({ unit: 'grapheme', maxLength: 12 });
  const key = string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => !text.includes(','));
  const device: Arbitrary<Route> = record({
    screen: constantFrom('device' as const),
    project_id: id,
    device_id: id,
    tab: constantFrom('chart', 'table', 'keys', 'connect'),
    chart: record({ keys: tuple(key) }),
  });
  assert(
    property(device, (route) => {
      expect(parseRoute(hrefTo(route))).toEqual(route);
    }),
  );
});

test('all of a device is one place, and another device is another', () => {
  const device = { screen: 'device', project_id: '1', device_id: '2', tab: 'chart' } as const;
  expect(placeOf({ ...device, tab: 'keys', chart: { far: true } })).toBe(placeOf(device));
  expect(placeOf({ ...device, device_id: '3' })).not.toBe(placeOf(device));
  expect(placeOf(parseRoute('#/x'))).toBe(placeOf(parseRoute('#/y')));
});

describe('the trail', () => {
  const hrefs = (address: string) => trailOf(parseRoute(address)).map(hrefTo);
  test('leads over the screens that the address begins with', () => {
    expect(hrefs('#/')).toEqual(['#/']);
    expect(hrefs('#/projects/a%2Fb')).toEqual(['#/', '#/projects/a%2Fb']);
    expect(hrefs('#/projects/1/devices/2')).toEqual(['#/', '#/projects/1', '#/projects/1/devices/2']);
    expect(hrefs('#/service')).toEqual(['#/service']);
  });
  test('ends at a device’s chart, as it was looked at', () => {
    expect(hrefs('#/projects/1/devices/2/table?range=24h').at(-1)).toBe('#/projects/1/devices/2?range=24h');
  });
  test('leads back from nowhere', () => {
    expect(hrefs('#/nowhere')).toEqual(['#/']);
  });
});

test('header and palette list screens that lead somewhere without a parameter', () => {
  const listed = (place: 'sidebar' | 'palette') =>
    listedIn(place).map(({ title, route }) => [title, hrefTo(route)]);
  expect(listed('sidebar')).toEqual([
    ['Alarms', '#/alarms'],
    ['Saved views', '#/views'],
    ['Requests', '#/requests'],
    ['API keys', '#/api-keys'],
    ['Recently deleted', '#/deleted'],
    ['Service', '#/service'],
    ['Other services', '#/other-services'],
  ]);
  const [alarms, views, ...others] = listed('sidebar');
  expect(listed('palette')).toEqual([
    ['Projects', '#/'],
    alarms,
    ['Compare', '#/compare'],
    views,
    ['Look at files', '#/import'],
    ...others,
  ]);
});

test('only a device takes files', () => {
  const takers = ['#/', '#/projects/1', '#/projects/1/devices/2/keys', '#/service', '#/nowhere'];
  expect(takers.filter((address) => takesFiles(parseRoute(address)))).toEqual([takers[2]]);
});

test('the compiler knows what a screen is told', () => {
  // @ts-expect-error -- a device's address needs its tab
  hrefTo({ screen: 'device', project_id: '1', device_id: '2' });
  // @ts-expect-error -- a project has an id
  hrefTo({ screen: 'devices' });
  // @ts-expect-error -- there is no such screen
  expect(hrefTo({ screen: 'widgets' })).toBe('#/');
});
