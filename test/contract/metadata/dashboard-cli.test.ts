import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli } from '../../helpers/service/service-process.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/dashboards.md, "Export and import", by the command line. */

let service: RunningService;
let world: World;

beforeEach(async () => {
  service = await runService({ vault: 'memory' }, { isAlone: true });
  world = await createWorld(service);
});
afterEach(() => service.stop());

const cli = (...words: string[]) => runCli([...words, '--data', service.directory]);

test('the dashboard of a project is printed as a file, and added to another one', async () => {
  const exported = await cli('dashboard', 'export', '--project', world.project_id);
  const dashboard = await dataOf(service, 'GET', `/_local/v1/projects/${world.project_id}/dashboard`);
  expect([exported.code, JSON.parse(exported.stdout)]).toEqual([0, dashboard]);
  const file = join(service.directory, 'exported.json');
  await writeFile(file, exported.stdout);

  const of = ['dashboard', 'import', file, '--project', world.other_project_id];
  const widgets = `/_local/v1/projects/${world.other_project_id}/widgets`;
  const tried = await cli(...of, '--dry-run');
  expect([tried.code, tried.stdout.split('\n')]).toEqual([
    0,
    ['ESP32: not found, or several have that name; left out', 'Added nothing.', ''],
  ]);
  expect(await dataOf(service, 'GET', widgets)).toEqual([]);
  const added = await cli(...of);
  expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('Added 1 widget.')]);
  expect(await dataOf(service, 'GET', widgets)).toMatchObject([{ title: 'Temperature', sources: [] }]);

  const wrong = await cli('dashboard', 'import', '{"widgets": []}', '--project', world.other_project_id);
  expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('fieldbench is required')]);
});
