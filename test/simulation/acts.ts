import { ok } from 'node:assert/strict';
import { formatMicros, type TimeRange } from '#shared/values/time.ts';
import { applied, type Act } from '../faults/history.ts';
import { checkAsItIs, checkReads, instant } from './oracle.ts';
import { someDrafts, someTime } from './drafts.ts';
import { documentPath, localPath, sentAs, storedAt, type Device, type Doubt, type Model } from './model.ts';
import { storeByMqtt } from './store-by-mqtt.ts';
import { dataOf, messageOf, type Answer, type Cut, type Data, type Asking } from './wire.ts';
import type { World } from './world.ts';

/* What devices and people do: asked of the service, and of the model once it has answered. */

export type Simulated = { readonly world: World; readonly model: Model };

/** What is known of a request. */
type Outcome = { readonly kind: 'done'; readonly data: Data } | { readonly kind: 'refused' | 'unknown' };

const MINUTE_US = 60_000_000;
const MOST_DEVICES = 12;

/** What came of a request that is right. Throws where it failed, though nothing was wrong with the disk. */
function outcomeOf(world: World, answer: Answer | null, isAppend = false): Outcome {
  if (answer === null) return { kind: 'unknown' };
  if (answer.status < 300) return { kind: 'done', data: dataOf(answer) };
  const message = messageOf(answer);
  ok(world.isTroubled && answer.status >= 500, `a right request was answered ${answer.status}: ${message}`);
  return { kind: isAppend && /is full/.test(message) ? 'refused' : 'unknown' };
}

/** Asks; what nobody knows of it is a doubt about the device. */
export async function change(
  { world }: Simulated,
  device: Device,
  asked: readonly [method: string, path: string, asking?: Asking],
  doubt: Doubt,
): Promise<Data | null> {
  const [method, path, asking] = asked;
  const outcome = outcomeOf(world, await world.ask(method, path, asking));
  if (outcome.kind === 'done') return outcome.data;
  device.doubt = doubt;
  return null;
}

/** A device stores; the wire may be cut meanwhile, and it sends once more what it got no answer to. */
export async function store(on: Simulated, device: Device, cut: Cut | null = null): Promise<void> {
  if (device.source === 'mqtt') return storeByMqtt(on, device, cut);
  const { world, model } = on;
  const { random } = world;
  const drafts = someDrafts(world, random.chance(0.05) ? 400 : 4);
  const receipt = random.chance(0.5) ? `r-${random.int(0, 1e9)}` : undefined;
  const [only] = drafts;
  const asking: Asking = {
    key: device.token,
    body: drafts.length === 1 && only ? sentAs(only) : drafts.map(sentAs),
    ...(receipt !== undefined && { headers: { 'idempotency-key': receipt } }),
  };
  const records = drafts.map((draft) => storedAt(draft, world.now));
  const act: Act = { kind: 'append', device: device.id, records, receipt };
  const before = device.content;
  const first = await world.ask('POST', '/integrations/http', asking, cut);
  const outcome = outcomeOf(world, first, true);
  if (outcome.kind === 'done') model.apply(device, act);
  if (outcome.kind !== 'unknown') return;
  device.doubt = { kind: 'content', possible: [before, applied(before, act)] };
  if (receipt === undefined || !world.isUp || world.isTroubled) return;
  // A clock that stands stores the same at the same time.
  const again = outcomeOf(world, await world.ask('POST', '/integrations/http', asking), true);
  if (again.kind === 'done') device.doubt = { kind: 'content', possible: [applied(before, act)] };
}

export async function importFile(on: Simulated, device: Device): Promise<void> {
  const { world, model } = on;
  const drafts = someDrafts(world, world.random.chance(0.1) ? 600 : 20, true);
  const body = drafts.map((draft) => `${JSON.stringify(sentAs(draft))}\n`).join('');
  const records = drafts.map((draft) => storedAt(draft, world.now));
  const act: Act = { kind: 'batch', device: device.id, chunks: [records] };
  const path = `${localPath(model, device)}/records?format=ndjson`;
  const possible = [device.content, applied(device.content, act)];
  const asking = { body, type: 'application/x-ndjson' };
  if (await change(on, device, ['POST', path, asking], { kind: 'content', possible }))
    device.content = possible[1]!;
}

export async function purge(on: Simulated, device: Device): Promise<void> {
  const after = applied(device.content, { kind: 'purge', device: device.id, at: on.world.now });
  const path = `${documentPath(on.model, device)}/data`;
  const done = await change(on, device, ['DELETE', path], {
    kind: 'content',
    possible: [device.content, after],
  });
  if (done) device.content = after;
}

/** Deletes records so that it can be undone: those of a span, or all. */
export async function removeRecords(on: Simulated, device: Device): Promise<void> {
  const { world, model } = on;
  const start = someTime(world);
  const range: TimeRange | null = world.random.chance(0.7)
    ? { start, end: start + world.random.int(0, 60) * MINUTE_US }
    : null;
  const removal = range === null ? { at: world.now } : { range };
  const query = range === null ? '' : `?start=${formatMicros(start)}&end=${formatMicros(range.end ?? start)}`;
  const path = `${localPath(model, device)}/records${query}`;
  const data = await change(on, device, ['DELETE', path], { kind: 'keep', removal });
  const undo = data?.['undo'] as { id: string; until: string } | undefined;
  if (undo) model.keep(device, undo.id, instant(undo.until), removal);
}

export async function removeDevice(on: Simulated, device: Device): Promise<void> {
  const data = await change(on, device, ['DELETE', localPath(on.model, device)], { kind: 'delete' });
  const undo = data?.['undo'] as { id: string; until: string } | undefined;
  if (!undo) return;
  on.model.remove(device, undo.id, instant(undo.until));
  await expectUnknown(on, device.token);
}

export async function dropDevice(on: Simulated, device: Device): Promise<void> {
  if (!(await change(on, device, ['DELETE', documentPath(on.model, device)], { kind: 'drop' }))) return;
  on.model.gone(device);
  await expectUnknown(on, device.token);
}

/** Nobody stores with the token of a device that went. */
async function expectUnknown({ world }: Simulated, key: string): Promise<void> {
  const answer = await world.ask('POST', '/integrations/http', { key, body: { temperature: 1 } });
  ok(
    answer === null || answer.status === 401,
    `the token of a deleted device was answered ${answer?.status}`,
  );
}

export async function makeDevice({ world, model }: Simulated): Promise<void> {
  if (model.devices.length >= MOST_DEVICES) return;
  const name = model.newName();
  const source = world.random.of(['http', 'http', 'mqtt'] as const);
  const body = { name, source };
  const outcome = outcomeOf(
    world,
    await world.ask('POST', `/v2/projects/${model.project}/devices`, { body }),
  );
  if (outcome.kind === 'done') {
    const { device_token } = outcome.data['metadata'] as { device_token: string };
    model.add(outcome.data['id'] as string, name, source, device_token);
  } else model.maybeMade.set(name, source);
}

export async function renewToken(on: Simulated, device: Device): Promise<void> {
  const old = device.token;
  const data = await change(on, device, ['POST', `${localPath(on.model, device)}/token`], { kind: 'token' });
  if (data === null) return;
  device.token = data['device_token'] as string;
  await expectUnknown(on, old);
}

/** Undoes a delete, or removes what it kept for good. */
export async function takeUndo(on: Simulated, kind: 'restore' | 'discard'): Promise<void> {
  const { world, model } = on;
  const { undoable } = model;
  if (undoable.length === 0) return;
  const entry = world.random.of(undoable);
  const answer = await world.ask(kind === 'restore' ? 'POST' : 'DELETE', `/_local/v1/undo/${entry.id}`);
  // It was due, or the disk needed its room.
  if (answer?.status === 404 && (entry.until <= world.latest || world.wasFull)) return;
  const outcome = outcomeOf(world, answer);
  if (outcome.kind !== 'done') entry.device.doubt = { kind, entry };
  else if (kind === 'restore') model.restored(entry);
  else model.discarded(entry);
}

export async function read({ world, model }: Simulated, device: Device): Promise<void> {
  await checkReads(world, model, device);
}

/** A backup of all goes into what is compared from run to run. */
export async function backUp({ world }: Simulated): Promise<void> {
  const answer = await world.ask('GET', '/_local/v1/backup');
  ok(answer === null || answer.status === 200 || world.isTroubled, `a backup was answered ${answer?.status}`);
}

/** A backup brings all that is there to a service that has nothing. Resolves with the digest of what that answered. */
export async function restoreElsewhere({ world, model }: Simulated, elsewhere: World): Promise<string> {
  const backup = await world.ask('GET', '/_local/v1/backup');
  ok(backup?.status === 200, `a backup was answered ${backup?.status}`);
  elsewhere.now = world.now;
  try {
    await elsewhere.start();
    const asking = { body: backup.body, type: 'application/x-tar' };
    await elsewhere.data('POST', '/_local/v1/restore', asking);
    for (const device of model.present) await checkAsItIs(elsewhere, model, device);
    await elsewhere.stop();
    return elsewhere.answers;
  } finally {
    elsewhere.close();
  }
}

export async function settings({ world }: Simulated): Promise<void> {
  const body = { keep_days: world.random.of([1, 2, 30]) };
  outcomeOf(world, await world.ask('PATCH', '/_local/v1/settings', { body }));
}
