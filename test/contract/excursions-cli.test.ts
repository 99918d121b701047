import { afterEach, beforeEach, expect, test } from 'vitest';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { runCli } from '../helpers/service/service-process.ts';
import { createWorld, type World } from './world.ts';

/* docs/running.md, "All commands": `excursions list`, asked of a real service. */

let service: RunningService;
let world: World;

beforeEach(async () => {
  service = await runService({ vault: 'memory' }, { isAlone: true });
  world = await createWorld(service);
});
afterEach(() => service.stop());

const cli = (...words: string[]) => runCli([...words, '--data', service.directory]);

test('excursions are a table for people, JSON, and the CSV of the API', async () => {
  const device = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
  await service.request('PATCH', `${device}/key-settings`, {
    body: { key: 'temperature', high: 20.75, longest_gap_s: 90 },
  });
  const of = ['excursions', 'list', 'temperature', '--device', 'ESP32'];
  const { code, stdout } = await cli(...of);
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      '2026-03-02T20:30:21.202946Z – 2026-03-02T20:32:21.202946Z, normal up to 20.75',
      'inside        1 min  50.00 %',
      'outside       1 min  50.00 %',
      'not measured  0 s    0.00 %',
      expect.stringMatching(
        /^2026-03-02T20:31:21.202946Z {2}2026-03-02T20:32:21.202946Z {2}1 min {2}above {2}22.25 at /,
      ),
      '',
    ],
  ]);
  expect(JSON.parse((await cli(...of, '--json')).stdout)).toMatchObject({
    outside_us: 60_000_000,
    excursion_count: 1,
  });
  const csv = await cli(...of, '--csv');
  expect(csv.stdout).toBe((await service.request('GET', `${device}/excursions.csv?key=temperature`)).text);
  const corrected = await cli(...of, '--view', 'best');
  expect([corrected.code, corrected.stderr]).toEqual([
    2,
    expect.stringContaining('--view must be "raw" or "corrected"'),
  ]);
  const both = await cli(...of, '--csv', '--json');
  expect([both.code, both.stdout]).toEqual([2, expect.stringContaining('leave --json away')]);
  expect((await cli('excursions', 'list', '--device', 'ESP32')).stderr).toContain('a KEY');
});

test('a key that the device lacks is an error that names those that it has, also as CSV and JSON', async () => {
  const of = ['--device', 'ESP32'];
  const slip = 'KEY must be a key of the device, got "temprature". Did you mean "temperature"?';
  for (const form of [[], ['--csv']]) {
    const { code, stdout, stderr } = await cli('excursions', 'list', 'temprature', ...of, ...form);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(slip)]);
  }
  const json = await cli('excursions', 'list', 'temprature', ...of, '--json');
  expect([json.code, json.stdout]).toEqual([2, expect.stringContaining('Did you mean')]);
  const other = await cli('excursions', 'list', 'pressure', ...of);
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringMatching(/got "pressure"\. It has ("\w+", )*"temperature"/),
  ]);
});

test('a key that has settings and no reading yet was not measured, and a derived one is of the corrected view', async () => {
  const device = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
  await service.request('PATCH', `${device}/key-settings`, { body: { key: 'pressure', high: 3 } });
  const to_come = await cli('excursions', 'list', 'pressure', '--device', 'ESP32');
  expect([to_come.code, to_come.stdout]).toEqual([0, expect.stringMatching(/not measured .* 100\.00 %/)]);
  const derived = { kind: 'derived', key: 'twice', of: '2 * temperature' };
  await service.request('POST', `${device}/corrections`, { body: derived });
  const of = ['excursions', 'list', 'twice', '--device', 'ESP32'];
  expect(await cli(...of)).toMatchObject({ code: 2, stderr: expect.stringContaining('got "twice"') });
  expect(await cli(...of, '--view', 'corrected')).toMatchObject({ code: 0, stderr: '' });
});
