import { deepStrictEqual, ok } from 'node:assert/strict';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { applied, type Content } from '../faults/history.ts';
import { checkCorrections, checkTold, whichCorrections } from './corrections.ts';
import { checkDue, isSwept } from './due.ts';
import {
  correctedExportOf,
  csvOf,
  documentPath,
  exportOf,
  localPath,
  pageOf,
  summaryOf,
  type Device,
  type Entry,
  type Model,
} from './model.ts';
import { dataOf, type Data } from './wire.ts';
import type { World } from './world.ts';

/* Holds the service to the model: all that was acknowledged is there, nothing that was not sent, and of what is in doubt all or nothing. */

interface Listed {
  readonly id: string;
  readonly kind: 'device' | 'purge' | 'range';
  readonly device_id: string;
  readonly until: string;
  readonly deleted: { readonly records: number };
}

/** Finds out what was done of that which is in doubt, and compares all that is there. */
export async function settle(world: World, model: Model): Promise<void> {
  await settleDevices(world, model);
  const listed = await listUndo(world);
  const news = listed.filter(({ id }) => !model.entries.has(id));
  for (const device of model.devices.slice()) await settleDevice(world, model, device, news);
  for (const entry of model.entries.values()) expire(world, model, entry, listed);
  deepStrictEqual(
    listed.map(({ id }) => id).toSorted(),
    [...model.entries.keys()].toSorted(),
    'what can be undone',
  );
  for (const { id, deleted } of listed)
    deepStrictEqual(deleted.records, model.recordsOf(model.entries.get(id)!), 'records that can be had back');
  for (const device of model.devices) if (device.deletedBy === null) await check(world, model, device);
  await checkDue(world, model);
  await checkAll(world, model);
  deepStrictEqual(
    world.logged.filter((line) => /damaged/i.test(line)),
    [],
    'the log tells of damage',
  );
  world.wasFull = world.disk.health === 'full';
}

/** Devices that may have been made are there or not. */
async function settleDevices(world: World, model: Model): Promise<void> {
  const there = (await world.data('GET', `/v2/projects/${model.project}/devices`)) as unknown as Data[];
  const known = new Set(model.devices.map(({ id }) => id));
  for (const { id, name } of there as { id: string; name: string }[]) {
    if (known.has(id)) continue;
    const source = model.maybeMade.get(name);
    ok(source !== undefined, `a device "${name}" is there that nobody made`);
    const { device_token } = await world.data('POST', `${localPath(model, { id })}/token`);
    model.add(id, name, source, device_token as string);
  }
  model.maybeMade.clear();
  const found = there.map(({ id }) => id as string);
  for (const { id, name, deletedBy, doubt } of model.devices)
    if (doubt === null)
      deepStrictEqual(found.includes(id), deletedBy === null, `whether ${name} is among the devices`);
}

/** `news`: deletes whose answer nobody got. */
async function settleDevice(
  world: World,
  model: Model,
  device: Device,
  news: readonly Listed[],
): Promise<void> {
  const { doubt, id } = device;
  if (doubt === null) return;
  device.doubt = null;
  const own = news.find(
    ({ device_id, kind }) => device_id === id && (kind === 'device') === (doubt.kind === 'delete'),
  );
  const until = own === undefined ? NaN : instant(own.until);
  switch (doubt.kind) {
    case 'content':
      device.content = await whichOf(world, model, device, doubt.possible);
      if (doubt.isOfOwed === true && device.owed !== null)
        device.owed.stored = device.content !== doubt.possible[0];
      return;
    case 'corrections':
      device.corrections = await whichCorrections(world, model, device, doubt.possible);
      return;
    case 'keep':
      if (own) model.keep(device, own.id, until, doubt.removal);
      else if (world.wasFull) {
        // It may have been given up for its room.
        const act = { kind: 'keep', device: id, name: 'given up', removal: doubt.removal } as const;
        const gone = applied(applied(device.content, act), { ...act, kind: 'discard' });
        device.content = await whichOf(world, model, device, [device.content, gone]);
      }
      return;
    case 'delete':
      if (own) model.remove(device, own.id, until);
      else if (!(await isPresent(world, model, device))) {
        ok(world.wasFull, `${device.name} is gone for good`);
        model.gone(device);
      }
      return;
    case 'restore':
    case 'discard': {
      const { entry } = doubt;
      const isThere = (await listUndo(world)).some((each) => each.id === entry.id);
      if (isThere) return;
      // It may have been due as well.
      const isBack =
        doubt.kind === 'restore' && (entry.kind === 'device' ? await isPresent(world, model, device) : true);
      if (isBack && doubt.kind === 'restore' && entry.kind === 'records' && isDue(world, entry)) {
        const back = { kind: 'restore', device: id, name: entry.id } as const;
        const gone = { kind: 'discard', device: id, name: entry.id } as const;
        model.entries.delete(entry.id);
        device.content = await whichOf(world, model, device, [
          applied(device.content, back),
          applied(device.content, gone),
        ]);
      } else if (isBack) model.restored(entry);
      else model.discarded(entry);
      return;
    }
    case 'drop':
      if (!(await isPresent(world, model, device))) model.gone(device);
      return;
    case 'token': {
      const { device_credentials } = await world.data('GET', documentPath(model, device));
      const { device_token } = device_credentials as { device_token: string };
      if (device_token !== '') device.token = device_token;
      else
        device.token = (await world.data('POST', `${localPath(model, device)}/token`))[
          'device_token'
        ] as string;
      return;
    }
  }
}

/** Which of these contents a device has. */
async function whichOf(
  world: World,
  model: Model,
  device: Device,
  possible: readonly Content[],
): Promise<Content> {
  const found = await lookAt(world, model, device);
  const match = possible.find((content) => same(found, content));
  if (match !== undefined) return match;
  const [first] = possible;
  throw new Error(
    `${device.name} holds none of ${possible.length} possible contents.\n${difference(found, first!)}`,
  );
}

/** Compares all that is there of a device. */
async function check(world: World, model: Model, device: Device): Promise<void> {
  await checkAsItIs(world, model, device);
  await checkTold(world, device);
  const { device_credentials, name } = await world.data('GET', documentPath(model, device));
  deepStrictEqual(
    [name, (device_credentials as { device_token: string }).device_token],
    [device.name, device.token],
    'name and token of a device',
  );
}

/** Nothing is damaged, and of what went nothing was left behind. */
async function checkAll(world: World, model: Model): Promise<void> {
  const { records, findings } = await world.data('POST', '/_local/v1/storage/check');
  deepStrictEqual(findings, [], 'what a check finds');
  deepStrictEqual(records, model.records, 'records, those that can be had back included');
  const trail = await world.data('GET', '/_local/v1/audit/verify');
  deepStrictEqual(trail['findings'], [], 'what is found in the audit trail');
}

/** Compares what a device has stored, and its corrections. */
export async function checkAsItIs(world: World, model: Model, device: Device): Promise<void> {
  await checkRecords(world, model, device);
  await checkCorrections(world, model, device);
  if (device.corrections.length === 0) return;
  const file = await world.ask('GET', `${localPath(model, device)}/records?format=ndjson&view=corrected`);
  deepStrictEqual(
    file?.body.toString(),
    correctedExportOf(device),
    `the corrected records of ${device.name}`,
  );
}

async function checkRecords(world: World, model: Model, device: Device): Promise<void> {
  const found = await lookAt(world, model, device);
  if (!same(found, device.content))
    throw new Error(`${device.name} holds something else.\n${difference(found, device.content)}`);
}

/** Compares pages and files of a device. */
export async function checkReads(world: World, model: Model, device: Device): Promise<void> {
  const limit = world.random.of([1, 7, 100]);
  const page = world.random.int(1, 3);
  const answer = await world.ask(
    'GET',
    `${documentPath(model, device)}/data?page=${page}&limit=${limit}&range=all`,
  );
  if (answer === null) return;
  ok(answer.headers.get('x-total-count') === String(device.content.records.length), 'how many records');
  const text = answer.body.toString();
  ok(
    text.includes(`"data":${pageOf(device.content, page, limit)}`),
    `page ${page} by ${limit} of ${device.name}: ${text}`,
  );
  const csv = await world.ask('GET', `${localPath(model, device)}/records?format=csv`);
  if (csv !== null) deepStrictEqual(csv.body.toString(), csvOf(device.content), `${device.name} as CSV`);
}

interface Looked {
  readonly records: string;
  readonly summary: ReturnType<typeof summaryOf>;
}

async function lookAt(world: World, model: Model, device: Device): Promise<Looked> {
  const path = localPath(model, device);
  const file = await world.ask('GET', `${path}/records?format=ndjson`);
  if (file?.status !== 200)
    throw new Error(`The export of ${device.name} was answered ${file?.status}: ${file?.body.toString()}`);
  const { records, last_seen, purged_at } = await world.data('GET', `${path}/summary`);
  return {
    records: file.body.toString(),
    summary: { records, last_seen, purged_at } as ReturnType<typeof summaryOf>,
  };
}

const same = (found: Looked, content: Content): boolean =>
  found.records === exportOf(content) && JSON.stringify(found.summary) === JSON.stringify(summaryOf(content));

function difference(found: Looked, content: Content): string {
  const [are, should] = [found.records.split('\n'), exportOf(content).split('\n')];
  const extra = are.filter((line) => !should.includes(line));
  const missing = should.filter((line) => !are.includes(line));
  return [
    `  found    ${JSON.stringify(found.summary)}`,
    `  expected ${JSON.stringify(summaryOf(content))}`,
    ...extra.slice(0, 5).map((line) => `  not expected: ${line}`),
    ...missing.slice(0, 5).map((line) => `  missing: ${line}`),
  ].join('\n');
}

const isDue = (world: World, { until }: Entry): boolean => until <= world.latest || world.wasFull;

/** What was due, or made room, may be gone; what has been due for long must be. */
function expire(world: World, model: Model, entry: Entry, listed: readonly Listed[]): void {
  if (!model.entries.has(entry.id)) return;
  const isListed = listed.some(({ id }) => id === entry.id);
  if (!isListed && isDue(world, entry)) model.discarded(entry);
  ok(!isListed || !isSwept(world, entry), `a delete that was due at ${entry.until} is kept at ${world.now}`);
}

async function listUndo(world: World): Promise<readonly Listed[]> {
  return (await world.data('GET', '/_local/v1/undo')) as unknown as Listed[];
}

async function isPresent(world: World, model: Model, device: Device): Promise<boolean> {
  const answer = await world.ask('GET', documentPath(model, device));
  ok(answer !== null && [200, 404].includes(answer.status), `${device.name} was answered ${answer?.status}`);
  return answer.status === 200 && dataOf(answer)['id'] === device.id;
}

export function instant(text: unknown): Micros {
  const read = parseInstant(String(text));
  ok(read !== null, `no time: ${String(text)}`);
  return read;
}
