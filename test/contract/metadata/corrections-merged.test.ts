import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* What corrections of another service do not take beside others of their device (docs/local-api.md, "Sync"). */

let service: RunningService;
let world: World;
let project: string;
let own: Device;

interface Device {
  readonly id: string;
  readonly path: string;
}
/** What a version says; null for a removal. */
type Says = Readonly<Record<string, unknown>> | null;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  project = `/_local/v1/projects/${world.project_id}`;
});
afterAll(() => service.stop());
beforeEach(async () => {
  own = await device('Own');
});

const TIME = '2026-03-02T20:00:00.000000Z';

async function device(name: string): Promise<Device> {
  const path = `/v2/projects/${world.project_id}/devices`;
  const { id } = await dataOf(service, 'POST', path, { name, source: 'http' });
  return { id, path: `${project}/devices/${id}` };
}

const derived = (key: string, of: string) => ({ kind: 'derived', key, of });
const after = ({ id }: Pick<Device, 'id'>) => ({ kind: 'replaced', former_id: id, until: TIME });

/** Versions of a correction, the first first. */
const versions = (says: readonly Says[], correction_id: string = randomUUID()) =>
  says.map((each, n) => {
    const times = { changed: TIME, first: TIME };
    return { correction_id, version: n + 1, says: each, reason: '', by: 'K. Meyer', ...times };
  });

const merge = (of: Device, sent: ReturnType<typeof versions>, dry_run = false) =>
  service.request('POST', `${of.path}/sync/corrections`, { body: { versions: sent, dry_run } });
const merged = async (of: Device, sent: ReturnType<typeof versions>) => (await merge(of, sent)).envelope.data;
const list = async ({ path }: Device) =>
  (await dataOf(service, 'GET', `${path}/corrections`)) as unknown as readonly ShownCorrection[];

/** A merge is refused with these words, rehearsed or not, and leaves what is there as it is. */
async function expectRefused(of: Device, sent: ReturnType<typeof versions>, why: string): Promise<void> {
  const before = await list(of);
  for (const isRehearsed of [true, false]) {
    const { status, envelope } = await merge(of, sent, isRehearsed);
    expect([status, envelope.message]).toEqual([400, expect.stringContaining(why)]);
  }
  expect(await list(of)).toEqual(before);
}

test('a derived key that is one already, here or twice in what came', async () => {
  const why = 'key must be of no other derived key, and "a" is one already';
  await expectRefused(own, [...versions([derived('a', 'x')]), ...versions([derived('a', 'y')])], why);
  await dataOf(service, 'POST', `${own.path}/corrections`, derived('a', 'x'));
  await expectRefused(own, versions([derived('a', 'y')]), why);
  await expectRefused(own, versions([derived('b', 'y'), derived('a', 'y')]), why);
});

test('derived keys that ask for one another', async () => {
  await dataOf(service, 'POST', `${own.path}/corrections`, derived('a', 'b + x'));
  await expectRefused(
    own,
    [...versions([derived('b', 'c')]), ...versions([derived('c', 'a * 2')])],
    'of must not lead back to its own key: "b" asks for "c" asks for "a" asks for "b"',
  );
});

test('a device that goes before itself', async () => {
  const why = `former_id must be the id of another device of this account that is there, and that is not this one, got "${own.id}"`;
  await expectRefused(own, versions([after(own)]), why);
});

test('a device that goes before twice, and one that has this one before it', async () => {
  const [old, older] = [await device('Old'), await device('Older')];
  await expectRefused(
    own,
    [...versions([after(old)]), ...versions([after(old)])],
    'former_id must name a device once, and "Old" goes before this one already',
  );
  expect(await merged(old, versions([after(older)]))).toMatchObject({ added: 1 });
  expect(await merged(own, versions([after(old)]))).toMatchObject({ added: 1 });
  await expectRefused(
    own,
    versions([after(older)]),
    'former_id must name a device once, and "Older" goes before this one already',
  );
  await expectRefused(
    older,
    versions([after(own)]),
    'former_id must not lead back to this device, and this one goes before "Own"',
  );
  const both = await device('Both');
  expect(await merged(both, versions([after(older)]))).toMatchObject({ added: 1 });
  await expectRefused(own, versions([after(both)]), `the device "${older.id}" goes before both "Both" and`);
});

test('what is all there together is judged, not the way to it', async () => {
  const [old, other] = [await device('Old'), await device('Other')];
  const [a, b] = [randomUUID(), randomUUID()];
  const before = [
    ...versions([derived('a', 'x')], a),
    ...versions([derived('b', 'a')], b),
    ...versions([after(old)]),
  ];
  expect(await merged(own, before)).toMatchObject({ added: 3 });
  // Two keys change their names with one another, and a former device goes to another correction.
  const [former] = before.slice(-1);
  const swapped = [
    ...versions([derived('a', 'x'), derived('b', 'x')], a),
    ...versions([derived('b', 'a'), derived('a', 'b')], b),
    ...versions([after(old), after(other)], former?.correction_id),
    ...versions([after(old)]),
  ];
  expect(await merged(own, swapped)).toMatchObject({ added: 4, present: 3 });
  expect(await list(own)).toMatchObject([
    derived('b', 'x'),
    derived('a', 'b'),
    { device_id: other.id },
    { device_id: old.id },
  ]);
  // A removed correction stands in the way of none.
  const removed = versions([derived('a', 'x'), derived('b', 'x'), null], a);
  expect(await merged(own, [...removed, ...versions([derived('b', 'y')])])).toMatchObject({ added: 2 });
});

test('what only a later arrival makes wrong is taken, and readers pass over it', async () => {
  const [one, other] = [await device('One'), await device('Other')];
  for (const [{ path }, x] of [
    [one, 1],
    [other, 2],
  ] as const) {
    const bytes = JSON.stringify({ timestamp: TIME, received: TIME, values: { x, a: 5 } });
    await service.request('POST', `${path}/merge`, { raw: { type: 'application/x-ndjson', bytes } });
  }
  // A key that was stored here, a former device that is not here yet, and one whose own former device is deleted with it.
  await dataOf(service, 'POST', `${one.path}/corrections`, { ...after(other) });
  const { undo } = await dataOf(service, 'DELETE', one.path);
  const sent = [
    ...versions([derived('a', 'x * 2')]),
    ...versions([after({ id: randomUUID() })]),
    ...versions([after(one)]),
  ];
  expect(await merged(other, sent)).toMatchObject({ added: 3 });
  await dataOf(service, 'POST', `/_local/v1/undo/${(undo as { id: string }).id}`, {});
  const read = async ({ path }: Device) => {
    const { text } = await service.request('GET', `${path}/records?format=ndjson&view=corrected`);
    const lines = text.trim().split('\n');
    return lines.map((line) => JSON.parse(line) as unknown);
  };
  const [ones, others] = [
    { x: 1, a: 5 },
    { x: 2, a: 5 },
  ];
  expect(await read(other)).toMatchObject([ones, others]);
  expect(await read(one)).toMatchObject([others, ones]);
});
