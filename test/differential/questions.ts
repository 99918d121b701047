import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { rangeQuery, same, spanOf } from './acts.ts';
import { arrayOf, dataOf, objectOf, textOf, type Answer } from './client.ts';
import { csvText, ndjsonText, pageText, type Row, type Span } from './model.ts';
import type { Range, StepOf } from './script.ts';
import { readTime, writeTime } from './time.ts';
import { documentPath, localPath, seenAt, type Device, type Project, type World } from './world.ts';

/* What is asked of the service, held against the model. */

const keysQuery = (keys: readonly string[] | null) =>
  keys === null ? '' : `&keys=${encodeURIComponent(keys.join(','))}`;

/** Whether a range is to be refused; else its span, null for all. */
function asked(range: Range | null): { readonly refused: boolean; readonly span: Span } {
  const span = range && spanOf(range);
  return { refused: range !== null && span === null, span };
}

export async function page(world: World, device: Device, step: StepOf<'page'>): Promise<void> {
  const { range, keys, page: number, limit } = step;
  const time = range === null ? 'range=all' : `range=time&${rangeQuery(range)}`;
  const path = `${documentPath(device)}/data?page=${number}&limit=${limit}&${time}${keysQuery(keys)}`;
  const answer = await world.client.ask('GET', path);
  const { refused, span } = asked(range);
  if (refused) dataOf(answer, 400);
  else checkPage(answer, device.records.rows(span), step);
}

interface PageOf {
  readonly page: number;
  readonly limit: number;
  readonly keys: readonly string[] | null;
}

/** Holds a page of these rows against what came, byte for byte. */
function checkPage(answer: Answer, rows: readonly Row[], { page: number, limit, keys }: PageOf): void {
  const from = Math.max(0, rows.length - number * limit);
  const shown = rows.slice(from, Math.max(0, rows.length - (number - 1) * limit)).toReversed();
  const expected = `{"success":true,"action":"retrieve data","status":200,"message":"Device data fetched successfully.","data":${pageText(shown, keys)}}`;
  same(answer.text, expected, `page ${number} of ${limit}, ${rows.length} records`);
  strictEqual(answer.headers.get('x-total-count'), String(rows.length));
  const links = linksOf(answer);
  const last = Math.max(1, Math.ceil(rows.length / limit));
  const pages = { first: 1, last, ...(number > 1 && { prev: Math.min(number - 1, last) }) };
  const all: Record<string, number> = { ...pages, ...(number < last && { next: number + 1 }) };
  deepStrictEqual(new Set(links.keys()), new Set(Object.keys(all)), 'relations of the Link header');
  for (const [relation, { searchParams }] of links) {
    strictEqual(searchParams.get('page'), String(all[relation]), `page of the link "${relation}"`);
    strictEqual(searchParams.get('limit'), String(limit));
  }
}

function linksOf({ headers }: Answer): Map<string, URL> {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g);
  return new Map(
    [...links].map(([, target = '', relation = '']) => [relation, new URL(target, 'http://rig')]),
  );
}

/** Walks from the first page to the last by the links alone. */
export async function walk(world: World, device: Device, { range, limit }: StepOf<'walk'>): Promise<void> {
  const { refused, span } = asked(range);
  const rows = device.records.rows(span);
  // Hundreds of pages of one record tell no more than tens.
  const atLeast = Math.min(10_000, Math.max(limit, Math.ceil(rows.length / 30)));
  const time = range === null ? 'range=all' : `range=time&${rangeQuery(range)}`;
  let path = `${documentPath(device)}/data?page=1&limit=${atLeast}&${time}`;
  for (let number = 1; ; number++) {
    const answer = await world.client.ask('GET', path);
    if (refused) return void dataOf(answer, 400);
    checkPage(answer, rows, { page: number, limit: atLeast, keys: null });
    const next = linksOf(answer).get('next');
    if (next === undefined) return strictEqual(number, Math.max(1, Math.ceil(rows.length / atLeast)));
    path = `${next.pathname}${next.search}`;
  }
}

export async function exported(world: World, device: Device, step: StepOf<'export'>): Promise<void> {
  const { format, range, keys } = step;
  const query = `format=${format}${range === null ? '' : `&${rangeQuery(range)}`}${keysQuery(keys)}`;
  const answer = await world.client.ask('GET', `${localPath(device)}/records?${query}`);
  const { refused, span } = asked(range);
  if (refused) return void dataOf(answer, 400);
  strictEqual(answer.status, 200, answer.text.slice(0, 500));
  const rows = device.records.rows(span);
  const columns = keys ?? device.records.keys().map(({ key }) => key);
  const expected = format === 'csv' ? csvText(rows, columns) : ndjsonText(rows, keys);
  // A lone surrogate has no UTF-8: U+FFFD stands for it.
  same(answer.text, Buffer.from(expected).toString(), `export as ${format} of ${rows.length} records`);
}

export async function series(world: World, device: Device, step: StepOf<'series'>): Promise<void> {
  const { range, keys, width } = step;
  const rows = device.records.rows();
  // Where nothing says from when to when, there must be records to say it.
  if (range === null && rows.length === 0) return;
  const query = `width=${width}${range === null ? '' : `&${rangeQuery(range)}`}${keysQuery(keys)}`;
  const answer = await world.client.ask('GET', `${localPath(device)}/series?${query}`);
  if (asked(range).refused) return void dataOf(answer, 400);
  const span = asked(range).span ?? { start: rows[0]!.time, end: rows.at(-1)!.time };
  const data = objectOf(dataOf(answer));
  deepStrictEqual(
    ['start', 'end', 'width'].map((name) => data.get(name)),
    [writeTime(span.start), writeTime(span.end), width],
  );
  const known = device.records.keys();
  const numeric = known.filter((each) => each.numeric > 0).map(({ key }) => key);
  // A key that the device lacks may stand there, empty, or not.
  const expected = keys === null ? numeric : keys.filter((key) => known.some((each) => each.key === key));
  const found = new Map(arrayOf(data.get('keys')).map((each) => [objectOf(each).get('key'), objectOf(each)]));
  if (keys === null) deepStrictEqual([...found.keys()], expected, 'keys of the series');
  for (const [key, columns] of device.records.series(span, expected, width)) {
    const shown = found.get(key);
    ok(shown !== undefined, `the series lacks the key ${JSON.stringify(key)}`);
    for (const [name, field] of Object.entries(FIELDS)) {
      const wanted = columns.map((column) => column[field]);
      deepStrictEqual(shown.get(name), wanted, `${name} of ${JSON.stringify(key)}`);
    }
  }
}

const FIELDS = { counts: 'count', min: 'min', max: 'max', first: 'first', last: 'last' } as const;

/** Everything that is said about all devices and projects. */
export async function facts(world: World): Promise<void> {
  const projects = arrayOf(await world.client.data('GET', '/v2/projects')).map((each) => objectOf(each));
  const own = projects
    .map((each) => each.get('id'))
    .filter((id) => world.projects.some((each) => each.id === id));
  deepStrictEqual(own, world.projects.map(({ id }) => id).toReversed(), 'newest project first');
  for (const project of world.projects) {
    for (const device of project.devices) await deviceFacts(world, device);
    await listFacts(world, project);
  }
}

async function deviceFacts(world: World, device: Device): Promise<void> {
  const { client } = world;
  const { records, seen, purged, name } = device;
  const [rows, keys] = [records.rows(), records.keys()];
  deepStrictEqual(
    await client.data('GET', `${documentPath(device)}/data/keys`),
    keys.map(({ key }) => key),
  );
  const ends = [rows[0], rows.at(-1)].map((row) => (row ? writeTime(row.time) : null));
  const summary = await client.object('GET', `${localPath(device)}/summary`);
  deepStrictEqual(
    [summary.get('records'), summary.get('first'), summary.get('last')],
    [rows.length, ...ends],
  );
  const counted = keys.map((each) => new Map<string, unknown>(Object.entries(each)));
  deepStrictEqual(summary.get('keys'), counted, `counts of the keys of ${name}`);
  const purgedAt = summary.get('purged_at') ?? null;
  purged.check(purgedAt === null ? null : readTime(textOf(purgedAt)), `purged_at of ${name}`);
  const impact = await client.object('GET', `${localPath(device)}/impact`);
  deepStrictEqual([impact.get('name'), impact.get('first'), impact.get('last')], [name, ...ends]);
  deepStrictEqual(objectOf(impact.get('deleted')).get('records'), rows.length);
  const single = await client.object('GET', documentPath(device));
  for (const shown of [single, summary]) {
    const lastSeen = textOf(shown.get('last_seen'));
    seen.check(seenAt(lastSeen), `last_seen of ${name} (${lastSeen})`);
  }
}

async function listFacts(world: World, project: Project): Promise<void> {
  const { client } = world;
  const list = arrayOf(await client.data('GET', `/v2/projects/${project.id}/devices`)).map((each) =>
    objectOf(each),
  );
  const shown = list.map((item) => project.devices.find(({ id }) => id === item.get('id')));
  deepStrictEqual(
    new Set(shown.map((device) => device?.name)),
    new Set(project.devices.map(({ name }) => name)),
  );
  for (const [i, device] of shown.entries()) {
    const lastSeen = textOf(list[i]!.get('last_seen'));
    device!.seen.check(seenAt(lastSeen), `last_seen of ${device!.name} in the list`);
  }
  // Both were read just now, so they are exact: latest seen first, then newest created.
  const times = list.map((item) => seenAt(textOf(item.get('last_seen'))) ?? -Infinity);
  const order = project.devices
    .map((device, created) => ({ name: device.name, created, time: times[shown.indexOf(device)]! }))
    .toSorted((a, b) => (a.time === b.time ? b.created - a.created : b.time - a.time));
  deepStrictEqual(
    shown.map((device) => device?.name),
    order.map(({ name }) => name),
    'order of devices',
  );
  const impact = await client.object('GET', `/_local/v1/projects/${project.id}/impact`);
  const deleted = objectOf(impact.get('deleted'));
  const records = project.devices.reduce((sum, device) => sum + device.records.rows().length, 0);
  deepStrictEqual([deleted.get('devices'), deleted.get('records')], [project.devices.length, records]);
}
