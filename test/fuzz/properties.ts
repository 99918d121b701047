import { expect } from 'vitest';
import * as fc from 'fast-check';
import { parseJson } from '#shared/values/json.ts';
import { isOperationId, operationOf } from '#shared/operations/index.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import type { Received } from '../helpers/published.ts';
import type { World } from '../contract/world.ts';
import { uploadOf } from '../contract/world.ts';
import { expectFound } from './found-again.ts';
import {
  faultyRequest,
  hostileRequest,
  rightRecords,
  rightRequest,
  wildBody,
  type FuzzRequest,
  type Operation,
} from './requests.ts';
import type { Sent, Target } from './target.ts';

/* What has to hold for any request to an operation. */

export const INGEST = 'integrations.http';
const IMPORT = 'records.import';
/** Take a file. */
const UPLOADS = new Set([
  IMPORT,
  'records.examine',
  'records.compare',
  'sync.merge',
  'sync.rehearse',
  'backup.restore',
  'uploads.create',
]);
/** Right in every field, and yet a file may not be readable, or the service may have no such door or vault. */
const MAY_REFUSE = new Set([
  // Without a seed file; by what is no regular expression.
  'accounts.reset',
  'requests.verify',
  // What is there is not as it says.
  'edits.replace',
  // Of what is no rule; a device holds a thousand.
  'functions.silence',
  'corrections.create',
  'records.inspect',
  'backup.restore',
  'doors.update',
  'secrets.move',
  'secrets.rotate',
  // In a lab.
  'snapshots.create',
  'snapshots.list',
  'snapshots.remove',
  'snapshots.restore',
]);
/** Take something of the world away, as every DELETE does, or make what a name that is wrong would find. */
const SPOIL = new Set([
  'accounts.reset',
  // A function that is no decoder any more cannot be asked what it would decode.
  'functions.update',
  'devices.renew-token',
  'devices.move',
  'snapshots.create',
  'snapshots.restore',
  'undo.restore',
]);

export interface Property {
  readonly name: string;
  readonly property: fc.IAsyncProperty<[never]> | fc.IAsyncProperty<unknown>;
}

/** The properties of one operation. */
export function propertiesOf(target: Target, operation: Operation): Property[] {
  const property = <T>(name: string, made: fc.Arbitrary<T> | null, check: (value: T) => Promise<void>) =>
    made === null ? [] : [{ name, property: fc.asyncProperty(made, check) as Property['property'] }];
  if (operation.id === INGEST)
    return [
      ...property('right', rightRecords, (records) => checkStored(target, operation, records, 'json')),
      ...property('lines', rightRecords, (records) => checkStored(target, operation, records, 'lines')),
      ...property('body', wildBody, (body) => checkWildBody(target, operation, body)),
    ];
  return [
    ...property('right', rightRequest(operation), (request) => checkRight(target, operation, request)),
    ...property('fault', faultyRequest(operation), (request) => checkFaulty(target, operation, request)),
    ...property('path', hostileRequest(operation), (request) => checkHostile(target, operation, request)),
    ...property('body', operation.published.requestBody ? wildBody : null, (body) =>
      checkWildBody(target, operation, body),
    ),
    ...(operation.id === IMPORT
      ? property('file', rightRecords, (records) => checkStored(target, operation, records, 'lines'))
      : []),
  ];
}

/** The exchange, for whoever has to look into it. */
const aboutOf = ({ method, path, body = '' }: Sent, { text }: Received) =>
  `${method} ${path} ${String(body).slice(0, 500)} → ${text.slice(0, 500)}`;

/** What holds for every answer: as published, no 5xx, an envelope that says what it is the answer to. */
function expectWhole(
  target: Target,
  { id, method, path }: Operation,
  sent: Sent,
  received: Received,
): Envelope {
  const { status, text } = received;
  const about = aboutOf(sent, received);
  expect(status, `${about}\n${target.logged.join('\n')}`).toBeLessThan(500);
  const isEnvelope = text.startsWith('{"success":');
  if (status >= 400) expect(isEnvelope, about).toBe(true);
  expect(target.checker.faultOf(method, path, received), about).toBeNull();
  const envelope = (isEnvelope ? parseJson(text) : { success: true, status }) as Envelope;
  expect(envelope.status, about).toBe(status);
  if (status < 400) return envelope;
  const action = isOperationId(id) ? operationOf(id).action : 'store data';
  // Before it is clear which operation it is, there is none to name.
  expect([action, 'read request'], about).toContain(envelope.action);
  expect(envelope.message.trim(), about).not.toBe('');
  expect(envelope.message.replace(/got .*/s, ''), about).not.toMatch(
    /\n\s+at |node_modules|\.ts:\d|electron\/core/,
  );
  return envelope;
}

function wire(operation: Operation, request: FuzzRequest, target: Target, world: World): Sent {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => request.ids[name] ?? encodeURIComponent(String(world[name as keyof World])),
  );
  const pairs = Object.entries(target.placed(request.query, world) as object).flatMap(([name, value]) =>
    textsOf(value).map((text) => `${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`),
  );
  const url = pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
  const { method } = operation;
  if (UPLOADS.has(operation.id))
    return { method, path: url, type: 'application/x-ndjson', body: uploadOf(operation.id) };
  if (request.body === undefined) return { method, path: url };
  return { method, path: url, body: JSON.stringify(target.placed(request.body, world)) };
}

/** The texts of a parameter; several of an array. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item) => textsOf(item)[0] ?? '');
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

async function ask(target: Target, operation: Operation, request: FuzzRequest) {
  const world = await target.world();
  const sent = wire(operation, request, target, world);
  // Only a clock that is not the machine's is moved; others are not to notice.
  if (operation.id === 'clock.advance') await setClock(target, 'frozen');
  const received = await target.send(sent);
  if (operation.id.startsWith('clock.')) await setClock(target, 'system');
  if (operation.method === 'DELETE' || SPOIL.has(operation.id)) target.spoil();
  const envelope = expectWhole(target, operation, sent, received);
  return { world, sent, received, envelope };
}

async function setClock(target: Target, mode: 'system' | 'frozen'): Promise<void> {
  const body = JSON.stringify({ mode });
  expect((await target.send({ method: 'PUT', path: '/_local/v1/clock', body })).status).toBe(200);
}

async function checkRight(target: Target, operation: Operation, request: FuzzRequest): Promise<void> {
  const { world, sent, received, envelope } = await ask(target, operation, request);
  if (MAY_REFUSE.has(operation.id) && received.status === 400) return;
  const expected = isOperationId(operation.id) ? operationOf(operation.id).status : 200;
  expect(received.status, aboutOf(sent, received)).toBe(expected);
  await expectFound(target, operation, world, target.placed(request.body, world), envelope.data);
}

async function checkFaulty(target: Target, operation: Operation, request: FuzzRequest): Promise<void> {
  const { sent, received, envelope } = await ask(target, operation, request);
  const { fault } = request;
  if (fault === null || isAccepted(target, operation, request)) return;
  expect(received.status, aboutOf(sent, received)).toBe(400);
  expect(envelope.message, aboutOf(sent, received)).toMatch(new RegExp(`^${fault.name}[. ]`));
}

/** How a query string carries numbers: whole ones, and seconds with a fraction. */
const NUMBER_TEXT = /^(\d{1,16}|\d{1,9}\.\d{1,6})$/;

/** Whether the published schema takes what stands in the place of the fault. */
function isAccepted({ checker }: Target, { id, published }: Operation, request: FuzzRequest): boolean {
  const { fault, query } = request;
  if (fault === null) return true;
  const inQuery = published.parameters?.some(
    ({ name, in: place }) => place === 'query' && name === fault.name,
  );
  if (!inQuery)
    // On the wire: JSON has no Infinity.
    return fault.value === undefined
      ? !fault.required
      : checker.accepts(fault.schema, parseJson(JSON.stringify(fault.value)));
  const isEnd = id === 'data.list' && ['start', 'end'].includes(fault.name);
  // Without range "time" nobody looks at them.
  if (isEnd && query['range'] !== 'time') return true;
  const texts = fault.value === undefined ? [] : textsOf(fault.value);
  const [only] = texts;
  if (only === undefined) return !fault.required && !isEnd;
  if (texts.length > 1) return false;
  const text = only.toWellFormed();
  const isNumber = NUMBER_TEXT.test(text) && checker.accepts(fault.schema, Number(text));
  return isNumber || checker.accepts(fault.schema, text);
}

async function checkHostile(target: Target, operation: Operation, request: FuzzRequest): Promise<void> {
  const { sent, received } = await hostileAnswer(target, operation, request);
  expect(received.status, aboutOf(sent, received)).toBe(404);
}

async function hostileAnswer(target: Target, operation: Operation, request: FuzzRequest) {
  const world = await target.world();
  const sent = wire(operation, request, target, world);
  const received = await target.send(sent);
  const envelope = parseJson(received.text) as Envelope;
  expect([Object.keys(envelope), sent.path]).toEqual([
    ['success', 'action', 'status', 'message', 'data'],
    sent.path,
  ]);
  expect([envelope.success, envelope.status, envelope.data]).toEqual([false, received.status, null]);
  return { sent, received };
}

async function checkWildBody(target: Target, operation: Operation, body: string | Uint8Array): Promise<void> {
  const world = await target.world();
  const key = operation.id === INGEST ? { key: world.device_token } : {};
  const before = await recordsOf(target, world);
  const sent = {
    ...wire(operation, { ids: {}, query: {}, body: undefined, fault: null }, target, world),
    ...key,
    body,
  };
  const received = await target.send(sent);
  const { data } = expectWhole(target, operation, sent, received);
  // It needs no body.
  if (received.status === 200 && SPOIL.has(operation.id)) return target.spoil();
  const stored = received.status === 200 ? storedOf(data) : 0;
  expect(await recordsOf(target, world)).toBe(before + stored);
}

/** How many records an answer tells of, itself or in the answer of a door. */
function storedOf(data: unknown): number {
  const { stored, http } = (data ?? {}) as { stored?: number; http?: { body: string } | null };
  if (http) return storedOf((parseJson(http.body) as Envelope).data);
  return stored ?? 0;
}

async function checkStored(
  target: Target,
  operation: Operation,
  records: readonly object[],
  as: 'json' | 'lines',
): Promise<void> {
  const world = await target.world();
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(world[name as keyof World]),
  );
  const before = await recordsOf(target, world);
  const body =
    as === 'json' ? JSON.stringify(records) : records.map((record) => JSON.stringify(record)).join('\n');
  const type = as === 'json' ? 'application/json' : 'application/x-ndjson';
  const key = operation.id === INGEST ? { key: world.device_token } : {};
  const sent = { method: 'POST', path, type, body, ...key };
  const received = await target.send(sent);
  const { data } = expectWhole(target, operation, sent, received);
  expect([data, body]).toEqual([expect.objectContaining({ stored: records.length }), body]);
  expect(await recordsOf(target, world)).toBe(before + records.length);
  const found = await page(target, world);
  for (const record of records) {
    const { timestamp: _, ...values } = record as Record<string, unknown>;
    const same = found.some((one) => isPart(values, one));
    expect([values, same]).toEqual([values, true]);
  }
  // Small pages are quick to look through.
  if (before > 500) target.spoil();
}

const dataPath = ({ project_id, device_id }: World) => `/v2/projects/${project_id}/devices/${device_id}/data`;

async function recordsOf(target: Target, world: World): Promise<number> {
  const { headers } = await target.send({
    method: 'GET',
    path: `${dataPath(world)}?page=1&limit=1&range=all`,
  });
  return Number(headers.get('x-total-count'));
}

async function page(target: Target, world: World): Promise<Record<string, unknown>[]> {
  const received = await target.send({
    method: 'GET',
    path: `${dataPath(world)}?page=1&limit=10000&range=all`,
  });
  return (parseJson(received.text) as { data: Record<string, unknown>[] }).data;
}

/** -0 and 0 are one number in JSON text, which a page is. */
const isPart = (values: Record<string, unknown>, record: Record<string, unknown>) =>
  Object.entries(values).every(([key, value]) => record[key] === value);
