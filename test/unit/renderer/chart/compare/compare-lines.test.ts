import { expect, test } from 'vitest';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import type { ChartData } from '../../../../../renderer/chart/load/loader.ts';
import { comparedLines, windowOf, type Side } from '../../../../../renderer/chart/compare/compare-lines.ts';

const EMPTY = { error: null, picture: null, window: null, far: null, newest: [], points: 0, total: null };

function side(name: string, data: Partial<ChartData>, offset = 0): Side {
  return {
    device: {
      project_id: 'p',
      device_id: name,
      name,
      label: name,
      summary: {
        records: 0,
        first: null,
        last: null,
        last_seen: '2026-01-05T08:00:00.000000Z',
        purged_at: null,
        source: 'http',
        interval_s: null,
        bytes: 0,
        keys: [],
      },
    },
    data: { ...EMPTY, state: 'loading', whole: null, bounds: [], ...data },
    keys: ['value'],
    offset,
  };
}

const axesOf = (sides: readonly Side[]) =>
  comparedLines(sides, ['value'], false, () => NO_SETTINGS).map(({ line }) => line.axis);

test('a device of which nothing has come yet takes no axis of its own', () => {
  const far = { bounds: [{ min: 900, max: 1000 }] };
  expect(axesOf([side('a', {}), side('b', far), side('c', {})])).toEqual(['left', 'left', 'left']);
  expect(axesOf([side('a', {}), side('b', {})])).toEqual(['left', 'left']);
  const near = { bounds: [{ min: 0, max: 1 }] };
  expect(axesOf([side('a', near), side('b', far), side('c', {})])).toEqual(['left', 'right', 'left']);
});

test('a window of the comparison is asked of each device in its own time, as far as it has any', () => {
  const whole = { from: 0, to: 100 };
  expect(windowOf(side('a', { whole }, 30), { from: 50, to: 200 })).toEqual({ from: 20, to: 100 });
  expect(windowOf(side('a', { whole }), { from: 200, to: 300 })).toBeNull();
  expect(windowOf(side('a', {}), { from: 0, to: 1 })).toBeNull();
});
