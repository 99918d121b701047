import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpOperationIds, operationIds, operationOf, type HttpId } from '#shared/operations/index.ts';
import { reads } from '#shared/operations/reads.ts';
import { TOLD_IDS, toldOf, type Told } from '#core/api/trail/told.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, inputOf, send, SETTABLE, type World } from '../world.ts';
import { entriesSince, lastOf, trailOf, verifiedBy } from './told.ts';

/*
 * Every operation that may change something, through the real door: the audit trail tells of it as its table says (docs/local-api.md,
 * "Audit trail"). One that is added without saying what it tells fails here, and so does one that says what is not so.
 */

/** Operations of windows alone: other-services.test.ts and hand-over tests ask them. */
const OF_WINDOWS = [
  'other-services.create',
  'other-services.look',
  'other-services.read-certificate',
  'other-services.remove',
  'other-services.update',
  'push.plan',
  'push.run',
];

/** What they are asked for in a world changes nothing there: a move to where it is, a rehearsal, no versions. */
const NOTHING_THERE = ['devices.move', 'backup.restore', 'sync.corrections'];

let service: RunningService;
let world: World;
const secrets: string[] = [];

beforeAll(async () => {
  service = await runService({ clock: SETTABLE });
  secrets.push(service.service.api_key);
});
afterAll(() => service.stop());

const changing = httpOperationIds.filter((id) => !reads(id));

test('every operation that is not a read says what it tells', () => {
  const ids = operationIds.filter((id) => !reads(id));
  expect(TOLD_IDS.toSorted()).toEqual(ids.toSorted());
  expect(ids.filter((id) => !(changing as readonly string[]).includes(id)).toSorted()).toEqual(OF_WINDOWS);
});

describe.each(changing)('%s', (id) => {
  test('is told as it says', async () => {
    world = await createWorld(service);
    secrets.push(world.device_token, world.strangers_key);
    const before = await lastOf(service);
    const input = inputOf(id, world);
    const answer = await send(service, id, input);
    for (const text of answer.text.match(/fb_[\dA-Za-z]{40}|(?<="device_token":")[\dA-Za-z]{40}/g) ?? [])
      secrets.push(text);
    const entries = await entriesSince(service, before);
    const own = entries.filter(({ operation }) => operation === id);
    expect(own).toHaveLength(entries.length);
    const told = toldOf(id);
    if (told.how === 'nothing' || NOTHING_THERE.includes(id)) {
      expect(own).toEqual([]);
      return;
    }
    for (const entry of own) {
      expect(entry.by).toMatchObject({ kind: 'key', name: 'Fieldbench' });
      expect(entry.account_id).toBeDefined();
    }
    expectOutcome(told, own, answer.status === operationOf(id).status);
    if (operationOf(id).path.includes(':device_id'))
      expect(own[0]?.devices).toContainEqual({ id: world.device_id, name: expect.any(String) });
  });
});

function expectOutcome(
  told: Told,
  own: Awaited<ReturnType<typeof entriesSince>>,
  hasSucceeded: boolean,
): void {
  const [first] = own;
  if (told.how === 'rows') {
    expect(hasSucceeded).toBe(true);
    expect(own.map(({ outcome }) => outcome)).toEqual(own.map(() => 'done'));
    expect(first?.changes.length).toBeGreaterThan(0);
  } else if (told.how === 'memory') {
    expect(own.map(({ outcome }) => outcome)).toEqual(hasSucceeded ? ['done'] : []);
  } else if (told.how === 'act') {
    expect(first?.outcome).toBe('begun');
    const end = own.at(-1);
    if (told.of?.hasNoEnd) expect(end).toBe(first);
    else {
      expect(end?.outcome).toBe(hasSucceeded ? 'done' : 'failed');
      expect(end?.of).toBe(first?.n);
    }
  }
}

test('a read, and what is refused, are not told', async () => {
  world = await createWorld(service);
  const before = await lastOf(service);
  for (const id of httpOperationIds.filter((each) => reads(each) && !each.startsWith('records.follow')))
    await send(service, id, inputOf(id, world));
  const none = { project_id: world.project_id, device_id: 'none' };
  expect((await send(service, 'devices.update', { ...none, tags: ['x'] })).status).toBe(404);
  expect((await send(service, 'projects.create', { name: '' })).status).toBe(400);
  const key = await world.issueKey(['read']);
  const refused: HttpId = 'notes.create';
  expect((await send(service, refused, inputOf(refused, world), key)).status).toBe(403);
  const since = await entriesSince(service, before);
  expect(since.map(({ operation }) => operation)).toEqual(['keys.create']);
});

test('after all of it the trail is whole, and says no secret nor a hash of one', async () => {
  expect(await verifiedBy(service)).toMatchObject({ harmed: 0, findings: [] });
  const text = await trailOf(service);
  expect(secrets.length).toBeGreaterThan(changing.length);
  for (const secret of secrets) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(hash('sha256', secret, 'hex'));
  }
  expect(text).not.toContain('of a test');
});
