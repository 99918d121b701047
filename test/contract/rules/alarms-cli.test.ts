import { afterEach, beforeEach, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli } from '../../helpers/service/service-process.ts';
import { createWorld, type World } from '../world.ts';

/* docs/running.md, "All commands": those of alarms. */

let service: RunningService;
let world: World;

beforeEach(async () => {
  service = await runService({ vault: 'memory' }, { isAlone: true });
  world = await createWorld(service);
});
afterEach(() => service.stop());

const cli = (...words: string[]) => runCli([...words, '--data', service.directory]);
const json = async (...words: string[]) => {
  const { code, stdout, stderr } = await cli(...words, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as unknown;
};

test('alarms are listed, by device and state, and acknowledged by their id', async () => {
  const id = world.alarm_id;
  const listed = (await cli('alarms', 'list')).stdout;
  expect(listed).toMatch(new RegExp(`^${id}  ended  .+Z  .+Z  not seen  Boiler room/ESP32: Too hot\n$`));
  for (const flags of [
    ['--project', 'Boiler room'],
    ['--device', 'ESP32'],
    ['--state', 'due'],
  ])
    expect((await cli('alarms', 'list', ...flags)).stdout).toBe(listed);
  for (const flags of [
    ['--project', 'Roof'],
    ['--state', 'open'],
  ])
    expect((await cli('alarms', 'list', ...flags)).stdout).toBe('');
  const seen = await cli('alarms', 'acknowledge', id, '--text', 'valve replaced');
  expect(seen).toMatchObject({ code: 0, stdout: 'Acknowledged: Boiler room/ESP32: Too hot.\n' });
  expect(await json('alarms', 'acknowledge', id, '--project', 'Boiler room')).toMatchObject({
    acknowledged: { text: '' },
  });
  expect((await cli('alarms', 'list', '--state', 'due')).stdout).toBe('');
  expect((await cli('alarms', 'list')).stdout).toContain('seen by ');
  const none = await cli('alarms', 'acknowledge', 'nothing');
  expect([none.code, none.stderr]).toEqual([
    2,
    'fieldbench: alarms acknowledge takes the id of an alarm: none of the newest 10000 has the id nothing; --project looks for older ones.\n',
  ]);
  expect(await cli('alarms', 'list', '--state', 'seen')).toMatchObject({ code: 2 });
});
