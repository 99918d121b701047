import { deepStrictEqual, ok } from 'node:assert/strict';
import { parseJson } from '#shared/values/json.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import type { Content } from '../faults/history.ts';
import type { Entry, Model } from './model.ts';
import { dataOf } from './wire.ts';
import type { World } from './world.ts';

/* What the clock alone brings about: deletes that nobody can undo any more, keys that open nothing, devices that are late. */

const SECOND_US = 1_000_000;
const MINUTE_US = 60 * SECOND_US;
const DAY_US = 1440 * MINUTE_US;
/** A sweep comes each minute, the first a minute after the start. */
const SWEEP_US = 61 * SECOND_US;
/** How far the clock is moved at most for a delete to be due. */
const NEAR_US = 3 * DAY_US;
const MOST_KEYS = 4;

/** Whether a sweep has come at which this was due. */
export const isSwept = (world: World, { until }: Entry): boolean =>
  world.now >= Math.max(until, world.wellSince) + SWEEP_US;

/** Moves the clock to where one of the next deletes is due, or just before, and a sweep further. */
export async function comeToDue({ world, model }: { world: World; model: Model }): Promise<void> {
  const { random } = world;
  const next = [...model.entries.values()].filter(({ until }) => until - world.now < NEAR_US);
  if (next.length === 0) return;
  const to = random.of(next).until + random.of([-2, 0, 0, 5]) * MINUTE_US;
  if (to > world.now) await world.set(to);
  await world.advance(SWEEP_US / 1000);
}

/** Makes a key that expires in some minutes. */
export async function makeKey({ world, model }: { world: World; model: Model }): Promise<void> {
  if (model.keys.length >= MOST_KEYS) model.keys.shift();
  const until = world.now + world.random.int(1, 90) * MINUTE_US;
  const body = { name: 'Reader', permissions: ['read'], expires_at: formatMicros(until) };
  const answer = await world.ask('POST', '/_local/v1/keys', { body });
  if (answer === null || (answer.status >= 500 && world.isTroubled)) return;
  ok(answer.status < 300, `a key was answered ${answer.status}: ${answer.body.toString()}`);
  model.keys.push({ key: dataOf(answer)['api_key'] as string, until });
}

interface Metadata {
  readonly deletions: readonly unknown[];
  readonly kept_deletes: Readonly<
    Record<string, { readonly state: string; readonly records: number | null }>
  >;
}

/** After a stop there is no delete that was begun and not finished (docs/storage-format.md, "Metadata"). */
export function checkFinished({ disk }: World): void {
  const [, bytes] = disk.contents().find(([path]) => path.endsWith('/metadata.json')) ?? [];
  ok(bytes !== undefined, 'there is no metadata.json');
  const { deletions, kept_deletes } = parseJson(bytes.toString()) as Metadata;
  const begun = Object.values(kept_deletes).filter(
    ({ state, records }) => state !== 'kept' || records === null,
  );
  deepStrictEqual([...deletions, ...begun], [], 'deletes that no start has finished');
}

/** Holds keys and devices to what the clock makes of them. */
export async function checkDue(world: World, model: Model): Promise<void> {
  for (const { key, until } of model.keys) {
    const answer = await world.ask('GET', '/v2/projects', { key });
    const expected = world.now < until ? 200 : 401;
    ok(
      answer?.status === expected,
      `a key that expires at ${formatMicros(until)} was answered ${answer?.status}`,
    );
  }
  const path = `/_local/v1/projects/${model.project}/devices?values=0`;
  const listed = (await world.data('GET', path)) as unknown as { name: string; status: string }[];
  deepStrictEqual(
    Object.fromEntries(listed.map(({ name, status }) => [name, status])),
    Object.fromEntries(model.present.map(({ name, content }) => [name, statusOf(content, world.now)])),
    'which devices are online',
  );
}

/** One that says nothing of how often it stores is late after a quarter of an hour. */
function statusOf({ lastSeen }: Content, now: Micros): string {
  if (lastSeen === null) return 'never';
  return now - lastSeen <= 15 * MINUTE_US ? 'online' : 'late';
}
