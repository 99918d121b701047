import { afterEach, beforeEach, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli } from '../../helpers/service/service-process.ts';
import { createWorld } from '../world.ts';

/* docs/rigs.md, "Simulators": by words of the command line. */

let service: RunningService;

beforeEach(async () => {
  service = await runService({ vault: 'memory' }, { isAlone: true });
  await createWorld(service);
});
afterEach(() => service.stop());

const cli = (...words: string[]) => runCli([...words, '--data', service.directory]);
const json = async (...words: string[]): Promise<Record<string, unknown>> => {
  const { code, stdout, stderr } = await cli(...words, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
};

test('a device is simulated by words, listed, stopped and replayed', async () => {
  const words = [
    '--every',
    '1s',
    '--count',
    '3',
    '--speed',
    'max',
    '--start',
    '2026-01-01T00:00:00Z',
    '--seed',
    '4',
  ];
  const keys = [
    '--shape',
    'load=ramp:from=0,to=10,period=10s',
    '--shape',
    'mode=states:states=idle/2/true,stay=1s',
  ];
  const made = await json('simulate', 'start', '--device', 'ESP32', ...words, ...keys);
  expect(made).toMatchObject({
    keys: {
      load: { shape: 'ramp', from: 0, to: 10, period_s: 10 },
      mode: { shape: 'states', states: ['idle', 2, true], stay_s: 1 },
    },
    stored: 3,
    seed: 4,
  });
  expect((await cli('simulate', 'list')).stdout).toMatch(/ done +3 stored, 0 refused +load, mode/);
  expect((await cli('simulate', 'stop', made['id'] as string)).stdout).toBe(
    'Stopped: 3 stored, 0 refused.\n',
  );
  await cli('devices', 'create', 'Copy', '--project', 'Roof');
  const replayed = await json('replay', '--device', 'Copy', '--from', 'ESP32', '--speed', 'max');
  expect(replayed).toMatchObject({ stored: 6, times: 'kept' });
  expect((await cli('simulate', 'building', '--name', 'Mine', '--hours', '0')).code).toBe(0);
  expect((await cli('devices', 'list', '--project', 'Mine')).stdout.trim().split('\n')).toHaveLength(6);
});

test.each([
  [['--every', 'soon'], 2, /--every takes a number and ms, s, m, h or d/],
  [['--shape', 'sine'], 2, /--shape takes KEY=SHAPE/],
  [
    ['--shape', 'a=saw:x=1'],
    2,
    /--shape a takes constant, sine, walk, states, ramp or counter as its shape, got "saw"/,
  ],
  [['--shape', 'a=constant:1'], 2, /--shape a takes FIELD=VALUE/],
  [['--shape', 'a=constant:value=1', '--every', '0s'], 2, /--every must be a whole number from 1/],
  [['--every', '1s', '--shape', 'a=sine:mean=1'], 2, /--shape\.a\.amplitude is required/],
  [
    ['--every', '1s', '--shape', 'a=constant:value=1', '--trouble', 'gaps=2'],
    2,
    /--trouble\.gaps must be a share/,
  ],
])('simulate start %j is refused', async (words, code, message) => {
  const found = await cli('simulate', 'start', '--device', 'ESP32', ...words);
  expect(found).toMatchObject({ code, stderr: expect.stringMatching(message) as string });
});
