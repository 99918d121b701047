import { afterEach, beforeEach, expect, test } from 'vitest';
import { inDatabase, inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { backupOf, restored } from '../backup/backups.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* What carries it along that a project asks for a reason (docs/local-api.md, "Reasons"). Pushes: test/contract/push/push-reasons.test.ts. */

let service: RunningService;
let world: World;

beforeEach(async () => {
  service = await runService();
  world = await createWorld(service);
  await ask(true);
});
afterEach(() => service.stop());

const project = () => `/_local/v1/projects/${world.project_id}`;
const ask = (reason_required: boolean) => dataOf(service, 'PATCH', project(), { reason_required });

/** Of the projects that have been made, by their names. */
async function asked(of = service): Promise<Record<string, boolean>> {
  const all = (await dataOf(of, 'GET', '/_local/v1/projects')) as unknown as readonly {
    readonly name: string;
    readonly reason_required: boolean;
  }[];
  const ours = all.filter(({ name }) => name === 'Boiler room' || name === 'Roof');
  return Object.fromEntries(ours.map(({ name, reason_required }) => [name, reason_required]));
}
const BOTH = { 'Boiler room': true, Roof: false };

test('undo brings it back with the project', async () => {
  const { undo } = await dataOf(service, 'DELETE', `${project()}?reason=moved%20out`);
  expect(await asked()).toEqual({ Roof: false });
  await dataOf(service, 'POST', `/_local/v1/undo/${(undo as { id: string }).id}`, {});
  expect(await asked()).toEqual(BOTH);
});

test('an edit takes it back, and makes it again', async () => {
  const edit = { was: { reason_required: true }, be: { reason_required: false } };
  const replace = (given: object) => dataOf(service, 'POST', `${project()}/edits`, { project: given });
  expect(await replace(edit)).toEqual({ changed: 1 });
  expect(await asked()).toEqual({ 'Boiler room': false, Roof: false });
  expect(await replace(edit)).toEqual({ changed: 0 });
  expect(await replace({ was: edit.be, be: edit.was })).toEqual({ changed: 1 });
  expect(await asked()).toEqual(BOTH);
  // One that never asked is as one that asks no more.
  await dataOf(service, 'POST', `/_local/v1/projects/${world.other_project_id}/edits`, {
    project: { was: { reason_required: false }, be: { reason_required: true } },
  });
  expect(await asked()).toEqual({ 'Boiler room': true, Roof: true });
});

// A lab has backups and snapshots of its own.
test.skipIf(inDatabase)('a backup has it, of all and of the project', async () => {
  for (const query of ['', `?project_id=${world.project_id}`]) {
    const elsewhere = await runService({ vault: 'memory' });
    try {
      await restored(elsewhere, await backupOf(service, query));
      expect(await asked(elsewhere)).toEqual(query === '' ? BOTH : { 'Boiler room': true });
      const device = `${project()}/devices/${world.device_id}`;
      expect((await elsewhere.request('DELETE', `${device}/records`)).status).toBe(400);
    } finally {
      await elsewhere.stop();
    }
  }
});

test.skipIf(inDatabase)('a snapshot has it, as it was', async () => {
  await dataOf(service, 'POST', '/_local/v1/snapshots', { name: 'asking' });
  await ask(false);
  await dataOf(service, 'POST', '/_local/v1/snapshots/asking/restore', {});
  expect(await asked()).toEqual(BOTH);
});

test.runIf(inFolder)('it is there after a start', async () => {
  await service.service.close();
  service = await runService({ directory: service.directory });
  expect(await asked()).toEqual(BOTH);
});
