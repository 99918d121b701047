import { describe, expect, test } from 'vitest';
import { hrefTo, parseRoute, type Route } from '../../../renderer/router.ts';

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
