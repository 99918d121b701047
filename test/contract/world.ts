import { hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOperationId, operationOf, type HttpId, type OperationId } from '#shared/operations/index.ts';
import { addressOf, withQuery } from '#shared/schema/path-parameters.ts';
import type { Permission } from '#shared/schema/schemas.ts';
import { PERMISSIONS } from '#shared/schema/schemas.ts';
import { sentWidget } from './push/sent-widget.ts';
import { A_RULE, raised } from './rules/raised.ts';
import type { HttpAnswer, RunningService } from '../helpers/service/running-service.ts';

/** A clock that operations may set, and that goes as the machine's as long as they do not. */
export const SETTABLE = { mode: 'scaled', rate: 1 } as const;

/** One of everything, in the service's own account, and an account of strangers. */
export interface World {
  readonly project_id: string;
  readonly other_project_id: string;
  readonly device_id: string;
  readonly device_token: string;
  readonly function_id: string;
  /** A rule by a tag that no device has. */
  readonly rule_id: string;
  /** Of a rule that is gone; 'none' where metadata are not at hand. */
  readonly alarm_id: string;
  readonly widget_id: string;
  readonly key_id: string;
  readonly note_id: string;
  /** A flag of an instant between its records. */
  readonly correction_id: string;
  readonly view_id: string;
  /** Of all of it. */
  readonly snapshot: string;
  /** Of a device that was deleted. */
  readonly undo_id: string;
  /** Of what the device stored. */
  readonly request_id: string;
  /** Of the device; its first reading is far ahead. */
  readonly simulator_id: string;
  /** Of a record. */
  readonly upload_id: string;
  /** An account with nothing in it, and one of strangers, by its key. */
  readonly account_id: string;
  readonly strangers_key: string;
  /** A key of the service's account with these permissions, for these projects. */
  issueKey(permissions: readonly Permission[], project_ids?: readonly string[]): Promise<string>;
}

/** Three records of two keys, a minute apart. */
export const RECORDS = [
  { timestamp: '2026-03-02T20:30:21.202946Z', temperature: 20.5, state: 'idle' },
  { timestamp: '2026-03-02T20:31:21.202946Z', temperature: 21, state: 'on' },
  { timestamp: '2026-03-02T20:32:21.202946Z', temperature: 22.25 },
];

/** What a simulator makes: nothing as long as a test runs. */
const SIMULATED = {
  every_ms: 1000,
  // A clock that is moved by centuries meets it once.
  count: 1,
  keys: { temperature: { shape: 'constant', value: 1 } },
  start: '2150-01-01T00:00:00Z',
  seed: 1,
} as const;

/** A decoder that is tried, and decodes nothing by itself. */
const SWITCHED_OFF = {
  type: 'decoder',
  enabled: false,
  script: 'function decodeUplink({ bytes }) { return { data: { first: bytes[0] } }; }',
  condition: { payload: 'bytes' },
} as const;

/** What asks a service with its own key, or another one. */
export type Asking = Pick<RunningService, 'request'> & Partial<Pick<RunningService, 'metadata'>>;

export async function createWorld(service: Asking): Promise<World> {
  const create = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const { envelope } = await service.request('POST', path, { body });
    if (!envelope.success) throw new Error(`${path}: ${envelope.message}`);
    return envelope.data as unknown as Record<string, string>;
  };
  const id = async (path: string, body: unknown) => (await create(path, body))['id'] ?? '';
  const key = async (body: unknown) => (await create('/_local/v1/keys', body))['api_key'] ?? '';

  const project_id = await id('/_local/v1/projects', { name: 'Boiler room' });
  const other_project_id = await id('/_local/v1/projects', { name: 'Roof' });
  const local = `/_local/v1/projects/${project_id}`;
  const device = await create(`/v2/projects/${project_id}/devices`, { name: 'ESP32', source: 'http' });
  const device_id = device['id'] ?? '';
  const { device_token = '' } = device['metadata'] as unknown as { device_token?: string };
  const stored = await service.request('POST', '/integrations/http', { key: device_token, body: RECORDS });
  if (stored.status !== 200) throw new Error(stored.text);
  const { envelope: asked } = await service.request('GET', '/_local/v1/requests?limit=1');
  const [request] = (asked.data ?? []) as unknown as readonly { readonly id: number }[];
  const world: Omit<World, 'snapshot'> = {
    project_id,
    other_project_id,
    request_id: String(request?.id ?? 1),
    simulator_id: await id('/_local/v1/simulators', { project_id, device_id, ...SIMULATED }),
    upload_id: await uploaded(service),
    device_id,
    device_token,
    function_id: await id(`${local}/functions`, { device_id, name: 'Sensor', ...SWITCHED_OFF }),
    rule_id: await id(`${local}/functions`, A_RULE),
    alarm_id: await raised(service, { project_id, device_id }),
    widget_id: await id(`${local}/widgets`, {
      title: 'Temperature',
      type: 'line',
      sources: [{ device_id, key: 'temperature' }],
    }),
    note_id: await id(`${local}/devices/${device_id}/notes`, {
      start: '2026-03-02T20:31:00Z',
      text: 'Valve opened',
    }),
    correction_id: await id(`${local}/devices/${device_id}/corrections`, {
      kind: 'quality',
      quality: 'fail',
      from: '2026-03-02T20:31:30Z',
      to: '2026-03-02T20:31:30Z',
      reason: 'Door open',
    }),
    view_id: await id('/_local/v1/views', { name: 'Boiler', address: '#/api-keys' }),
    key_id: await id('/_local/v1/keys', { name: 'spare', permissions: ['read'] }),
    undo_id: await removed(service, project_id),
    account_id: await id('/_local/v1/accounts', { name: 'Spare' }),
    strangers_key: (await create('/_local/v1/accounts', { name: 'Strangers' }))['api_key'] ?? '',
    issueKey: (permissions, project_ids) =>
      key({ name: 'made for a test', permissions, ...(project_ids && { project_ids }) }),
  };
  return { ...world, snapshot: await snapshot(service) };
}

/** A lab refuses it. */
async function snapshot(service: Asking): Promise<string> {
  // Worlds that are made at one service find what the last one took.
  await service.request('DELETE', '/_local/v1/snapshots/another');
  await service.request('POST', '/_local/v1/snapshots', { body: { name: 'baseline' } });
  return 'baseline';
}

async function removed(service: Asking, project_id: string): Promise<string> {
  const path = `/v2/projects/${project_id}/devices`;
  const { id } = await dataOf(service, 'POST', path, { name: 'Gone', source: 'http' });
  const { undo } = await dataOf(service, 'DELETE', `/_local/v1/projects/${project_id}/devices/${id}`);
  return (undo as { id: string }).id;
}

async function uploaded(service: Asking): Promise<string> {
  const raw = { type: 'application/x-ndjson', bytes: UPLOAD };
  const { envelope } = await service.request('POST', '/_local/v1/uploads', { raw });
  return (envelope.data as unknown as { readonly id: string }).id;
}

export const without = (permission: Permission) => PERMISSIONS.filter((each) => each !== permission);

/** What each operation takes beside its path parameters: enough for it to succeed; most need nothing. */
const OTHER_INPUT: Partial<Record<HttpId, Record<string, unknown>>> = {
  'doors.update': {},
  'devices.create': { name: 'Another', source: 'mqtt' },
  'data.list': { page: 1, limit: 10, range: 'all' },
  'accounts.create': { name: 'Newcomers' },
  'accounts.reset': { to: 'empty' },
  'snapshots.create': { name: 'another' },
  'keys.create': { name: 'rig', permissions: ['read'] },
  'projects.create': { name: 'New project' },
  'projects.update': { description: 'the cellar' },
  'devices.find': { search: 'a' },
  'devices.create-many': { devices: [{ name: 'One' }, { name: 'Two', source: 'mqtt' }] },
  'devices.update': { tags: ['cellar'] },
  'records.import': { format: 'ndjson' },
  'records.examine': { format: 'ndjson' },
  'records.compare': { format: 'ndjson' },
  'records.inspect': { sample: 'timestamp,value\n2013-12-02 21:15:00,73.96\n', complete: true },
  'records.delete': { start: '2026-03-02T20:30:00Z', end: '2026-03-02T20:31:00Z' },
  'series.get': { width: 10 },
  'series.trends': { key: 'temperature', ids: 'none' },
  'sync.look': { projects: [], devices: [] },
  'sync.add-project': { name: 'Handed over' },
  'sync.add-device': { name: 'Handed over', source: 'http' },
  'sync.digest': { start: '2026-03-02T20:30:00Z', end: '2026-03-02T20:33:00Z' },
  'sync.corrections': { versions: [] },
  'sync.ids': { start: '2026-03-02T20:30:00Z', end: '2026-03-02T20:33:00Z' },
  'jobs.cancel': { id: 'none' },
  'states.get': { width: 10 },
  'excursions.get': { key: 'temperature' },
  'excursions.export': { key: 'temperature' },
  'functions.create': { name: 'Other alarm', type: 'threshold' },
  'functions.update': { name: 'Renamed' },
  'functions.silence': { until: null },
  'functions.preview': {},
  'functions.decode': {},
  'rules.try': { condition: { when: { key: 'temperature', above: 1 } } },
  'functions.try': { script: 'function decodeUplink() { return { data: { t: 1 } } }', bytes: '00 d7' },
  'widgets.create': { title: 'Other', type: 'line', sources: [] },
  'widgets.update': { title: 'Renamed' },
  'widgets.import': {
    dashboard: {
      fieldbench: 'dashboard',
      version: 1,
      widgets: [{ title: 'Brought', type: 'line', sources: [], layout: {}, range: {} }],
    },
  },
  'secrets.move': { to: 'file' },
  'settings.test-mail': { to: 'a@b.example' },
  'settings.update': { keep_days: 31 },
  'key-settings.set': { key: 'temperature', unit: '°C' },
  'edits.replace': { project: { was: { name: 'Boiler room' }, be: { description: 'by the stairs' } } },
  'notes.create': { start: '2026-03-02T20:30:00Z', text: 'Seen' },
  'notes.update': { text: 'Seen again' },
  'corrections.create': { kind: 'calibration', key: 'temperature', points: [[0, 0.4]] },
  'corrections.preview': { kind: 'calibration', key: 'temperature', points: [[0, 0.4]] },
  'corrections.find': { key: 'temperature', gap: { seconds: 10 } },
  'corrections.update': { reason: 'Door open, said the watchman' },
  'views.create': { name: 'Roof', address: '#/service' },
  'views.update': { name: 'Renamed' },
  'backup.with-secrets': { passphrase: 'of a test' },
  'backup.restore': { dry_run: 'true' },
  'handover.get': { format: 'ndjson' },
  'requests.verify': { count: { min: 0 } },
  'faults.set': { rules: [] },
  'simulators.create': SIMULATED,
  'clock.set': { mode: 'scaled', rate: 1 },
  'clock.advance': { ms: 0 },
};

/** The body of an upload. */
export const UPLOAD = '{"timestamp":"2026-03-02T21:00:00Z","temperature":1}\n';

/** The body of an upload that takes another. */
const SENT =
  '{"timestamp":"2026-03-02T21:00:00Z","received":"2026-03-02T21:00:01Z","values":{"temperature":1}}\n';
const BACKUP = Uint8Array.from(readFileSync(join(import.meta.dirname, '../fixtures/backup-1/backup.tar')));
const OTHER_UPLOAD: Partial<Record<OperationId, string | Uint8Array<ArrayBuffer>>> = {
  'sync.merge': SENT,
  'sync.rehearse': SENT,
  'backup.restore': BACKUP,
};
export const uploadOf = (id: string): string | Uint8Array<ArrayBuffer> =>
  (isOperationId(id) ? OTHER_UPLOAD[id] : undefined) ?? UPLOAD;

/** Whatever another service made has an id and a token of its own. */
const HANDED_OVER: Partial<Record<OperationId, () => object>> = {
  'sync.add-project': () => ({ id: randomUUID() }),
  'sync.rows': () => ({ rows: [sentWidget(randomUUID())] }),
  'sync.add-device': () => ({ id: randomUUID(), token_hash: hash('sha256', randomUUID(), 'hex') }),
};

/** A whole, right input of an operation in this world. */
export function inputOf(id: HttpId, world: World): Record<string, unknown> {
  const names = operationOf(id).path.match(/(?<=:)[a-z_]+/g) ?? [];
  const inPath = Object.fromEntries(names.map((name) => [name, world[name as keyof World]]));
  const isOfDevice = id === 'functions.create' || id === 'functions.try' || id === 'rules.try';
  const device = isOfDevice ? { device_id: world.device_id } : {};
  const to = id === 'devices.move' ? { to: world.project_id } : {};
  const of = id === 'simulators.create' ? { project_id: world.project_id, device_id: world.device_id } : {};
  const handed = id === 'handover.get' ? { devices: [world.device_id] } : {};
  const rule = id === 'functions.silence' ? { function_id: world.rule_id } : {};
  return {
    ...OTHER_INPUT[id],
    ...device,
    ...handed,
    ...to,
    ...of,
    ...HANDED_OVER[id]?.(),
    ...inPath,
    ...rule,
  };
}

/** Sends an operation over HTTP, as its row in the table says. */
export function send(
  service: Asking,
  id: HttpId,
  input: Record<string, unknown>,
  key?: string | null,
): Promise<HttpAnswer> {
  const { method, path, body } = operationOf(id);
  const { path: filled, rest } = addressOf(path, input);
  const sender = key === undefined ? {} : { key };
  if (body === 'json') return service.request(method, filled, { ...sender, body: rest });
  const raw = body === 'stream' ? { raw: { type: 'application/x-ndjson', bytes: uploadOf(id) } } : {};
  return service.request(method, withQuery(filled, rest), {
    ...sender,
    ...raw,
  });
}

/** The data of a request; throws where it is refused. */
export async function dataOf(
  service: Asking,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown> & { readonly id: string }> {
  const { envelope } = await service.request(method, path, { body });
  if (!envelope.success) throw new Error(`${method} ${path}: ${envelope.message}`);
  return envelope.data as unknown as Record<string, unknown> & { id: string };
}
