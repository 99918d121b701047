import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { arrayOf as jsonArray, bulkRows, csvOf, linesOf } from './bodies.ts';
import { arrayOf, dataOf, messageOf, objectOf, textOf, type Answer } from './client.ts';
import { readJson } from './json.ts';
import { csvText, ndjsonText, type Row } from './model.ts';
import { Fault, readBody, type BodyType, type Draft } from './payload.ts';
import type { Range, StepOf } from './script.ts';
import { readTime, writeTime } from './time.ts';
import {
  documentPath,
  localPath,
  timed,
  type Between,
  type Device,
  type Project,
  type World,
} from './world.ts';

/* What changes something: done to the service and to the model, their answers compared. */

const TYPES = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
/** ms until a deleted device's folder must be gone from the disk. */
const GONE_MS = 3000;

/** What a body should do: the records it holds, or why it is refused. */
function expectationOf(body: string, type: BodyType): Draft[] | Fault {
  try {
    return readBody(body, type);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

export async function send(world: World, device: Device, body: string, type: BodyType): Promise<void> {
  const expected = expectationOf(body, type);
  const asked = { token: device.token, type: TYPES[type], body };
  const [answer, between] = await timed(() => world.client.ask('POST', '/integrations/http', asked));
  if (expected instanceof Fault) return refused(answer, expected, 'record');
  deepStrictEqual(dataOf(answer), new Map([['stored', expected.length]]));
  device.seen.set(between);
  await adopt(world, device, expected, between);
}

export async function importLines(world: World, device: Device, body: string): Promise<void> {
  const expected = expectationOf(body, 'ndjson');
  const path = `${localPath(device)}/records`;
  const [answer, between] = await timed(() => world.client.ask('POST', path, { type: TYPES.ndjson, body }));
  if (expected instanceof Fault) return refused(answer, expected, 'line');
  imported(answer, await adopt(world, device, expected, between));
}

/** Refused whole, saying which record it was and which key. */
function refused(answer: Answer, { record, key }: Fault, counted: string): void {
  dataOf(answer, 400);
  const message = messageOf(answer);
  if (record !== null && counted === 'line') ok(message.includes(`line ${record}`), message);
  // One object alone needs no number.
  else if (record !== null && record > 1) ok(message.includes(`record ${record}`), message);
  if (key !== null && /^[\w.]{1,40}$/.test(key)) ok(message.includes(key), message);
}

function imported(answer: Answer, rows: readonly Row[]): void {
  const data = objectOf(dataOf(answer));
  const times = rows.map(({ time }) => time);
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  deepStrictEqual(
    ['stored', 'skipped', 'errors', 'first', 'last'].map((name) => data.get(name)),
    [rows.length, 0, [], writeTime(first), writeTime(last)],
  );
}

/** Adds to the model what was stored. Records without a time get the one that the service gave all of them. */
async function adopt(
  world: World,
  device: Device,
  drafts: readonly Draft[],
  between: Between,
): Promise<readonly Row[]> {
  const timeless = drafts.filter(({ time }) => time === null).length;
  let received = NaN;
  if (timeless > 0) {
    const span = { start: between.from, end: between.to };
    const query = `page=1&limit=10000&range=time&start=${writeTime(span.start)}&end=${writeTime(span.end)}`;
    const found = arrayOf(await world.client.data('GET', `${documentPath(device)}/data?${query}`)).map(
      (each) => textOf(objectOf(each).get('timestamp')),
    );
    for (const { time } of device.records.rows(span)) found.splice(found.indexOf(writeTime(time)), 1);
    const what = `${timeless} records without a time, received between ${writeTime(span.start)} and ${writeTime(span.end)}`;
    strictEqual(found.length, timeless, `${what}: found ${found.join(', ')}`);
    strictEqual(new Set(found).size, 1, `${what}, have several times: ${found.join(', ')}`);
    received = readTime(found[0]!)!;
  }
  const rows = drafts.map(({ time, fields }) => ({ time: time ?? received, fields }));
  device.records.add(rows);
  return rows;
}

/** Sends records by formula; answers what would be stored, for a service that is killed meanwhile. */
export function startBulk(
  world: World,
  device: Device,
  { by, bulk: given }: StepOf<'bulk'>,
): { readonly rows: readonly Row[]; readonly answer: Promise<Answer> } {
  const rows = bulkRows(given);
  const ask = (path: string, type: string, body: string, token?: string) =>
    world.client.ask('POST', path, { type, body, ...(token && { token }) });
  const records = `${localPath(device)}/records`;
  switch (by) {
    case 'array':
      return { rows, answer: ask('/integrations/http', TYPES.json, jsonArray(rows), device.token) };
    case 'lines':
      return { rows, answer: ask('/integrations/http', TYPES.ndjson, linesOf(rows), device.token) };
    case 'import ndjson':
      return { rows, answer: ask(records, TYPES.ndjson, linesOf(rows)) };
    case 'import csv':
      return { rows, answer: ask(records, TYPES.csv, csvOf(rows)) };
  }
}

export const isImport = ({ by }: StepOf<'bulk'>) => by.startsWith('import');

export async function bulk(world: World, device: Device, step: StepOf<'bulk'>): Promise<void> {
  const [{ rows, answer }, between] = await timed(async () => {
    const started = startBulk(world, device, step);
    return { rows: started.rows, answer: await started.answer };
  });
  if (isImport(step)) imported(answer, rows);
  else {
    deepStrictEqual(dataOf(answer), new Map([['stored', rows.length]]));
    device.seen.set(between);
  }
  device.records.add(rows);
}

/** Exports one device and imports the file into another: equal records, in the same order. */
export async function copy(world: World, from: Device, to: Device, format: 'csv' | 'ndjson'): Promise<void> {
  const rows = from.records.rows().slice();
  const keys = from.records.keys().map(({ key }) => key);
  // A lone surrogate has no UTF-8, which CSV is written in. Two keys could become one.
  if (rows.length === 0 || (format === 'csv' && !keys.every((key) => key.isWellFormed()))) return;
  const file = await world.client.ask('GET', `${localPath(from)}/records?format=${format}`);
  const expected = format === 'csv' ? csvText(rows, keys) : ndjsonText(rows, null);
  same(file.text, Buffer.from(expected).toString(), `export as ${format}`);
  const path = `${localPath(to)}/records`;
  const answer = await world.client.ask('POST', path, { type: TYPES[format], body: file.text });
  imported(answer, rows);
  const wellFormed = (row: Row): Row => ({
    time: row.time,
    fields: row.fields.map(([key, value]) => [key, typeof value === 'string' ? value.toWellFormed() : value]),
  });
  to.records.add(format === 'csv' ? rows.map(wellFormed) : rows);
}

const deletion = (counts: Record<string, number>) => new Map(Object.entries(counts));
const deletedOf = (answer: Answer) => objectOf(objectOf(dataOf(answer)).get('deleted'));
const NO_DEPENDANTS = { functions: 0, widgets: 0 };

/** The range's ends in µs; null where it ends before it starts. */
export function spanOf({ start, end }: Range): { readonly start: number; readonly end: number } | null {
  const span = { start: readTime(start)!, end: readTime(end)! };
  return span.start > span.end ? null : span;
}

export const rangeQuery = ({ start, end }: Range) =>
  `start=${encodeURIComponent(start)}&end=${encodeURIComponent(end)}`;

/** Answers whether it was accepted: a range that ends before it starts is not. */
export async function remove(world: World, device: Device, range: Range): Promise<void> {
  const answer = await world.client.ask('DELETE', `${localPath(device)}/records?${rangeQuery(range)}`);
  const span = spanOf(range);
  if (span === null) dataOf(answer, 400);
  else deepStrictEqual(deletedOf(answer), deletion({ records: device.records.remove(span) }));
}

export async function purge(world: World, device: Device): Promise<void> {
  const [answer, between] = await timed(() => world.client.ask('DELETE', `${documentPath(device)}/data`));
  deepStrictEqual(deletedOf(answer), deletion({ records: device.records.remove(null) }));
  device.purged.set(between);
}

export async function deleteDevice(world: World, device: Device): Promise<void> {
  const answer = await world.client.ask('DELETE', documentPath(device));
  const records = device.records.rows().length;
  deepStrictEqual(deletedOf(answer), deletion({ devices: 1, records, ...NO_DEPENDANTS }));
  await deviceGone(world, device);
}

/** Nothing is left of a deleted device: not over HTTP, not on the disk. */
export async function deviceGone(world: World, device: Device): Promise<void> {
  world.forget(device);
  const { client } = world;
  dataOf(await client.ask('GET', documentPath(device)), 404);
  dataOf(await client.ask('GET', `${documentPath(device)}/data?page=1&limit=1&range=all`), 404);
  const asked = { token: device.token, type: TYPES.json, body: '{"a":1}' };
  dataOf(await client.ask('POST', '/integrations/http', asked), 401);
  const left = async () => (await client.host.names()).filter((name) => name.includes(device.id));
  for (const deadline = Date.now() + GONE_MS; (await left()).length > 0; await delay(5))
    ok(Date.now() < deadline, `left of the deleted ${device.name}: ${(await left()).join(', ')}`);
}

export async function deleteProject(world: World, project: Project): Promise<void> {
  const answer = await world.client.ask('DELETE', `/v2/projects/${project.id}`);
  const records = project.devices.reduce((sum, each) => sum + each.records.rows().length, 0);
  const expected = { devices: project.devices.length, records, ...NO_DEPENDANTS };
  deepStrictEqual(deletedOf(answer), deletion(expected));
  world.projects = world.projects.filter((each) => each !== project);
  dataOf(await world.client.ask('GET', `/v2/projects/${project.id}`), 404);
  for (const device of project.devices) await deviceGone(world, device);
}

const AROUND = 150;

/** Compares long texts and shows the first place where they differ. */
export function same(found: string, expected: string, what: string): void {
  if (found === expected) return;
  let at = 0;
  while (found[at] === expected[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND));
  throw new Error(
    `${what}: from character ${at} of ${expected.length}\n  expected ${around(expected)}\n  found    ${around(found)}`,
  );
}

/** The records of an export, as the model has them. */
export function rowsOfLines(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return readBody(lines.map((line) => (readJson(line), line)).join('\n'), 'ndjson').map(
    ({ time, fields }) => ({
      time: time!,
      fields,
    }),
  );
}
