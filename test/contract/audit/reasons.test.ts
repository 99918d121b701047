import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { httpOperationIds, operationOf, type CallId, type HttpId } from '#shared/operations/index.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli } from '../../helpers/service/service-process.ts';
import { createWorld, dataOf, inputOf, send, type World } from '../world.ts';
import { entriesSince, lastOf } from './told.ts';

/* A project that asks for a reason when data are changed (docs/local-api.md, "Reasons"), through every door. */

let service: RunningService;
let world: World;

beforeAll(async () => {
  service = await runService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  world = await createWorld(service);
});

const asking = httpOperationIds.filter((id) => operationOf(id).asksForReason !== undefined);
const project = () => `/_local/v1/projects/${world.project_id}`;
const device = () => `${project()}/devices/${world.device_id}`;
const ask = (reason_required = true) => dataOf(service, 'PATCH', project(), { reason_required });

/** The correction of the world, removed and made again by an edit. */
const flag = () => ({ ...FLAG, device_id: world.device_id, correction_id: world.correction_id });
const FLAG = {
  was: {
    kind: 'quality',
    quality: 'fail',
    keys: null,
    from: '2026-03-02T20:31:30.000000Z',
    to: '2026-03-02T20:31:30.000000Z',
    reason: 'Door open',
  },
  be: null,
};

function input(id: HttpId): Record<string, unknown> {
  const { reason: _, ...given } = inputOf(id, world);
  if (id === 'edits.replace') return { ...given, corrections: [flag()] };
  return id === 'corrections.update' ? { ...given, quality: 'suspect' } : given;
}

const DOORS = {
  HTTP: async (id: HttpId, given: Record<string, unknown>) => (await send(service, id, given)).envelope,
  bridge: (id: HttpId, given: Record<string, unknown>) => service.bridge.call(id as CallId, given),
};

describe.each(Object.entries(DOORS))('over %s', (_, door) => {
  test.each(asking)('%s is refused without a reason and told with one', async (id) => {
    await ask();
    const before = await lastOf(service);
    for (const reason of [undefined, ' \t'])
      expect(await door(id, { ...input(id), ...(reason !== undefined && { reason }) })).toMatchObject({
        success: false,
        message:
          'reason must be given, 1 to 500 characters that are not all blank: the project "Boiler room" asks for a reason',
      });
    expect(await door(id, { ...input(id), reason: 'x'.repeat(501) })).toMatchObject({
      success: false,
      message: expect.stringMatching(/^reason must be text of 1 to 500 characters/),
    });
    expect(await entriesSince(service, before)).toEqual([]);
    expect(await door(id, { ...input(id), reason: 'probe was wet' })).toMatchObject({ success: true });
    const told = await entriesSince(service, before);
    expect(told.length).toBeGreaterThan(0);
    expect(told.map(({ operation, reason }) => [operation, reason])).toEqual(
      told.map(() => [id, 'probe was wet']),
    );
  });

  test.each(asking)('%s of a project that does not ask needs none, and a given one is told', async (id) => {
    const before = await lastOf(service);
    expect(await door(id, { ...input(id), reason: 'tidied' })).toMatchObject({ success: true });
    expect((await entriesSince(service, before)).map(({ reason }) => reason)).toContain('tidied');
    world = await createWorld(service);
    await ask();
    await ask(false);
    const given = id === 'corrections.create' ? { ...input(id), key: 'state' } : input(id);
    expect(await door(id, given)).toMatchObject({ success: true });
  });
});

test('a project asks for none at first, and what it asks for is told; the document does not know it', async () => {
  const found = async () => {
    const all = (await dataOf(service, 'GET', '/_local/v1/projects')) as unknown as readonly {
      readonly id: string;
      readonly reason_required: boolean;
    }[];
    return all.find(({ id }) => id === world.project_id)?.reason_required;
  };
  expect(await found()).toBe(false);
  const before = await lastOf(service);
  expect(await ask()).toMatchObject({ name: 'Boiler room', reason_required: true });
  expect(await found()).toBe(true);
  expect(await entriesSince(service, before)).toMatchObject([
    { operation: 'projects.update', changes: [{ before: {}, after: { reason_required: true } }] },
  ]);
  expect(await dataOf(service, 'PATCH', project(), { name: 'Boilers' })).toMatchObject({
    reason_required: true,
  });
  const made = await dataOf(service, 'POST', '/_local/v1/projects', { name: 'GxP', reason_required: true });
  expect(made).toMatchObject({ reason_required: true });
  const wrong = await service.request('PATCH', project(), { body: { reason_required: 'yes' } });
  expect([wrong.status, wrong.envelope.message]).toEqual([
    400,
    expect.stringMatching(/^reason_required must be true or false/),
  ]);
  const fields = ['created_at', 'description', 'id', 'name'];
  expect(Object.keys(await dataOf(service, 'GET', `/v2/projects/${made.id}`)).toSorted()).toEqual(fields);
  const [first] = (await dataOf(service, 'GET', '/v2/projects')) as unknown as readonly object[];
  expect(Object.keys(first ?? {}).toSorted()).toEqual(fields);
});

test('whoever may not touch the project learns nothing of what it asks', async () => {
  await ask();
  const key = await world.issueKey(['read', 'write', 'delete', 'admin'], [world.other_project_id]);
  for (const id of asking) expect((await send(service, id, input(id), key)).status).toBe(403);
});

test('deletes under /v2 pass without a reason, and the trail tells them without one', async () => {
  await ask();
  const before = await lastOf(service);
  const v2 = `/v2/projects/${world.project_id}`;
  for (const path of [`${v2}/devices/${world.device_id}/data`, `${v2}/devices/${world.device_id}`, v2])
    expect((await service.request('DELETE', path)).status).toBe(200);
  const told = await entriesSince(service, before);
  expect(new Set(told.map(({ operation }) => operation))).toEqual(
    new Set(['data.purge', 'devices.delete', 'projects.delete']),
  );
  expect(told.filter(({ reason }) => reason !== undefined)).toEqual([]);
});

test('what takes back, adds, moves or shows otherwise asks for nothing', async () => {
  await ask();
  const { undo } = await dataOf(service, 'DELETE', `${device()}/records?reason=wet`);
  await dataOf(service, 'POST', `/_local/v1/undo/${(undo as { id: string }).id}`, {});
  const again = await dataOf(service, 'DELETE', `${device()}/records?reason=wet`);
  await dataOf(service, 'DELETE', `/_local/v1/undo/${(again['undo'] as { id: string }).id}`);
  const others = ['records.import', 'devices.update', 'key-settings.set', 'notes.create', 'sync.merge'];
  for (const id of [...others, 'edits.replace', 'devices.move'] as HttpId[])
    expect((await send(service, id, inputOf(id, world))).envelope).toMatchObject({ success: true });
});

test('the reason of an edit stands in the history of what it removes', async () => {
  await ask();
  await dataOf(service, 'POST', `${project()}/edits`, { corrections: [flag()], reason: 'undone' });
  const history = await dataOf(service, 'GET', `${device()}/corrections/history`);
  expect(history).toMatchObject([{ act: 'removed', reason: 'undone' }, { act: 'created' }]);
  // What comes back has the reason that it had.
  const back = { ...flag(), was: null, be: FLAG.was };
  await dataOf(service, 'POST', `${project()}/edits`, { corrections: [back], reason: 'done again' });
  expect(await dataOf(service, 'GET', `${device()}/corrections`)).toMatchObject([{ reason: 'Door open' }]);
});

describe('on the command line', () => {
  let own: RunningService;
  beforeEach(async () => {
    own = await runService({ vault: 'memory' }, { isAlone: true });
    world = await createWorld(own);
  });
  afterEach(() => own.stop());

  const cli = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCli([...words, '--data', own.directory]);
    return { code, text: `${stdout}${stderr}` };
  };

  test('each command that changes data takes --reason, and says so where it is needed', async () => {
    const of = ['--project', 'Boiler room'];
    expect(await cli('projects', 'change', ...of)).toMatchObject({ code: 2 });
    expect(await cli('projects', 'change', ...of, '--ask-reason', 'maybe')).toMatchObject({ code: 2 });
    expect(await cli('projects', 'change', ...of, '--ask-reason', 'yes')).toMatchObject({ code: 0 });
    expect((await cli('projects', 'show', ...of)).text).toMatch(/asks for a reason +yes/);
    const at = [...of, '--device', 'ESP32'];
    const span = ['--start', '2026-03-02T20:30:00Z', '--end', '2026-03-02T20:31:00Z'];
    const lines: readonly (readonly string[])[] = [
      ['corrections', 'create', '{"kind":"calibration","key":"temperature","points":[[0,0.4]]}', ...at],
      ['corrections', 'change', world.correction_id, '--fields', '{"quality":"suspect"}', ...at],
      ['corrections', 'delete', world.correction_id, ...at],
      ['records', 'delete', ...span, ...at],
      ['records', 'purge', ...at],
      ['devices', 'delete', ...at],
      ['projects', 'delete', ...of],
    ];
    for (const line of lines) {
      const refused = await cli(...line);
      expect([line[1], refused.code, refused.text]).toEqual([
        line[1],
        2,
        expect.stringContaining('--reason must be given'),
      ]);
      expect(refused.text).toContain('"Boiler room" asks for a reason');
      const before = await lastOf(own);
      expect(await cli(...line, '--reason', 'probe was wet')).toMatchObject({ code: 0 });
      const told = await entriesSince(own, before);
      expect(new Set(told.map(({ reason }) => reason))).toEqual(new Set(['probe was wet']));
    }
    expect((await cli('audit', 'list', '--limit', '1')).text).toContain('probe was wet');
  });
});
