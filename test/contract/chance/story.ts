import { Random } from '../../fuzz/files/random.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';

/*
 * A script of requests that a number draws, for one API key: what it asks depends on that number and on the answers so far, so
 * that two services which answer the same are asked the same.
 */

/**
 * What was asked and all of its answer, bytes as characters up to U+00FF; but the Date, and how many bytes something takes on the
 * disk, which is packed when the machine has time for it.
 */
export interface Answer {
  readonly asked: string;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

interface Asked {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly raw?: { readonly type: string; readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
}

interface Device {
  readonly id: string;
  readonly project: string;
  token: string;
}

type Data = Record<string, unknown>;

const FORMATS = ['csv', 'ndjson', 'parquet', 'xlsx', 'html'] as const;
const KEYS = ['temperature', 'pressure', 'state'] as const;
const FIRST = Date.UTC(2026, 2, 2, 20);
const MINUTE_MS = 60_000;
const ON_DISK = /"bytes":\d+/g;
const DEVICES_ON_DISK = /\/projects\/[^/]+\/storage$/;

/** The answer as it is compared. */
export function answerOf(
  { method, path, sent }: { readonly method: string; readonly path: string; readonly sent: string | null },
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
): Answer {
  // A length says how many digits there are, also where nothing is on the disk yet.
  const isOnDisk = text.search(ON_DISK) >= 0;
  return {
    asked: `${method} ${path} ${sent ?? ''}`,
    status,
    headers: [...headers].flatMap(([name, value]) =>
      name === 'date' || (name === 'content-length' && isOnDisk) ? [] : [`${name}: ${value}`],
    ),
    body: inAnyOrder(path, text.replace(ON_DISK, '"bytes":0')),
  };
}

/** Without the order of what is listed by how many bytes it takes. */
function inAnyOrder(path: string, body: string): string {
  if (!DEVICES_ON_DISK.test(path)) return body;
  const envelope = JSON.parse(body) as { data: unknown };
  if (!Array.isArray(envelope.data)) return body;
  return JSON.stringify({ ...envelope, data: envelope.data.map((each) => JSON.stringify(each)).toSorted() });
}

export class Story {
  readonly answers: Answer[] = [];
  readonly #service: RunningService;
  readonly #key: string;
  readonly #random: Random;
  readonly #projects: string[] = [];
  readonly #devices: Device[] = [];
  /** Paths of notes, widgets, functions, views and keys. */
  readonly #things: string[] = [];
  readonly #undo: string[] = [];

  constructor(service: RunningService, key: string, seed: number) {
    this.#service = service;
    this.#key = key;
    this.#random = new Random(seed);
  }

  async run(steps: number): Promise<readonly Answer[]> {
    await this.#makeProject();
    await this.#makeDevice();
    const all = Object.values(this.#steps);
    for (let n = 0; n < steps; n++) await this.#random.of(all)();
    // At the end, all that is there.
    await this.ask('GET', '/v2/projects');
    for (const project of this.#projects) await this.ask('GET', `/_local/v1/projects/${project}/devices`);
    for (const device of this.#devices) await this.ask('GET', `${v2(device)}/data?page=1&limit=50&range=all`);
    for (const path of ['keys', 'undo', 'views', 'jobs', 'access'])
      await this.ask('GET', `/_local/v1/${path}`);
    return this.answers;
  }

  /** Resolves with the data of the answer; empty where it was refused, or is a file. */
  async ask(method: string, path: string, asked: Asked = {}): Promise<Data> {
    const { key = this.#key, body, raw, headers = {} } = asked;
    const sent = raw?.text ?? (body === undefined ? null : JSON.stringify(body));
    const response = await fetch(
      `${this.#service.service.http_url ?? this.#service.service.base_url}${path}`,
      {
        method,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(sent !== null && { 'content-type': raw?.type ?? 'application/json' }),
          ...headers,
        },
        body: sent,
      },
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString('latin1');
    this.answers.push(answerOf({ method, path, sent }, response, text));
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const envelope = isJson ? (JSON.parse(bytes.toString()) as { data: Data | null }) : { data: null };
    return envelope.data ?? {};
  }

  readonly #steps = {
    project: () => this.#makeProject(),
    device: () => this.#makeDevice(),
    devices: () => this.#makeDevices(),
    storeOne: () => this.#store(),
    storeMore: () => this.#store(),
    import: () => this.#import(),
    token: () => this.#renewToken(),
    note: () => this.#makeNote(),
    widget: () => this.#makeWidget(),
    function: () => this.#makeFunction(),
    view: () => this.#make('/_local/v1/views', { name: this.#word(), address: '#/service' }),
    key: () => this.#make('/_local/v1/keys', { name: this.#word(), permissions: ['read'] }),
    remove: () => this.#removeDevice(),
    purge: () => this.#removeRecords(),
    undo: () => this.#takeUndo(),
    thing: () => this.#changeThing(),
    look: () => this.#look(),
    export: () => this.#export(),
    error: () => this.#goWrong(),
  };

  #word(): string {
    return `${this.#random.of(['Pump', 'Boiler', 'Küche', 'Roof'])} ${this.#random.int(1, 99)}`;
  }

  #device(): Device {
    return this.#random.of(this.#devices);
  }

  async #make(path: string, body: object): Promise<Data> {
    const made = await this.ask('POST', path, { body });
    if (typeof made['id'] === 'string') this.#things.push(`${path}/${made['id']}`);
    return made;
  }

  async #makeProject(): Promise<void> {
    const { id } = await this.ask('POST', '/_local/v1/projects', { body: { name: this.#word() } });
    this.#projects.push(id as string);
  }

  async #makeDevice(): Promise<void> {
    const project = this.#random.of(this.#projects);
    const body = { name: this.#word(), source: this.#random.of(['http', 'http', 'mqtt']) };
    this.#know(project, await this.ask('POST', `/v2/projects/${project}/devices`, { body }));
  }

  async #makeDevices(): Promise<void> {
    const project = this.#random.of(this.#projects);
    const devices = Array.from({ length: this.#random.int(1, 4) }, () => ({ name: this.#word() }));
    const made = await this.ask('POST', `/_local/v1/projects/${project}/devices`, { body: { devices } });
    for (const each of made as unknown as Data[]) this.#know(project, each);
  }

  #know(project: string, made: Data): void {
    const { device_id: id, device_token: token } = made['metadata'] as Record<string, string>;
    this.#devices.push({ id: id!, project, token: token! });
  }

  #records(): Data[] {
    return Array.from({ length: this.#random.int(1, 6) }, () => ({
      timestamp: new Date(FIRST + this.#random.int(0, 600) * MINUTE_MS).toISOString(),
      [this.#random.of(KEYS)]: this.#random.int(-50, 50) / 4,
    }));
  }

  async #store(): Promise<void> {
    await this.ask('POST', '/integrations/http', { key: this.#device().token, body: this.#records() });
  }

  async #import(): Promise<void> {
    const text = this.#records()
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('');
    const raw = { type: 'application/x-ndjson', text };
    await this.ask('POST', `${local(this.#device())}/records?format=ndjson`, { raw });
  }

  async #renewToken(): Promise<void> {
    const device = this.#device();
    const { device_token: token } = await this.ask('POST', `${local(device)}/token`);
    device.token = token as string;
  }

  async #makeNote(): Promise<void> {
    const start = new Date(FIRST + this.#random.int(0, 600) * MINUTE_MS).toISOString();
    await this.#make(`${local(this.#device())}/notes`, { start, text: this.#word() });
  }

  async #makeWidget(): Promise<void> {
    const { id: device_id, project } = this.#device();
    const sources = [{ device_id, key: this.#random.of(KEYS) }];
    const body = { title: this.#word(), type: 'line', sources };
    await this.#make(`/_local/v1/projects/${project}/widgets`, body);
  }

  async #makeFunction(): Promise<void> {
    const { id: device_id, project } = this.#device();
    const body = { device_id, name: this.#word(), type: 'threshold' };
    await this.#make(`/_local/v1/projects/${project}/functions`, body);
  }

  /** The last device stays, for the other steps. */
  async #removeDevice(): Promise<void> {
    if (this.#devices.length < 2) return;
    const [device] = this.#devices.splice(this.#random.int(0, this.#devices.length - 1), 1);
    const isFinal = this.#random.chance(0.3);
    this.#mayBeUndone(await this.ask('DELETE', isFinal ? v2(device!) : local(device!)));
  }

  async #removeRecords(): Promise<void> {
    const start = new Date(FIRST + this.#random.int(0, 300) * MINUTE_MS).toISOString();
    const query = this.#random.chance(0.5) ? `?start=${start}` : '';
    this.#mayBeUndone(await this.ask('DELETE', `${local(this.#device())}/records${query}`));
  }

  #mayBeUndone({ undo }: Data): void {
    if (undo !== undefined) this.#undo.push((undo as { id: string }).id);
  }

  async #takeUndo(): Promise<void> {
    const id = this.#undo.shift();
    if (id === undefined) return;
    await this.ask(this.#random.chance(0.5) ? 'POST' : 'DELETE', `/_local/v1/undo/${id}`);
  }

  async #changeThing(): Promise<void> {
    if (this.#things.length === 0) return;
    const path = this.#random.of(this.#things);
    if (this.#random.chance(0.3)) await this.ask('DELETE', path);
    else await this.ask('PATCH', path, { body: { name: this.#word(), title: 'T', text: 'Seen' } });
  }

  async #look(): Promise<void> {
    const device = this.#device();
    const project = `/_local/v1/projects/${device.project}`;
    const paths = [v2(device), `/v2/projects/${device.project}/devices`, `${v2(device)}/data?page=1&limit=3`];
    const own = ['summary', 'impact', 'key-facts', 'statistics', 'series?width=20', 'notes', 'times'];
    const all = ['widgets', 'functions', 'keys', 'storage', 'impact', 'key-settings', 'alarms'];
    paths.push(...own.map((each) => `${local(device)}/${each}`), ...all.map((each) => `${project}/${each}`));
    await this.ask('GET', this.#random.of([...paths, '/_local/v1/clock', '/_local/v1/chance']));
  }

  async #export(): Promise<void> {
    await this.ask('GET', `${local(this.#device())}/records?format=${this.#random.of(FORMATS)}`);
  }

  async #goWrong(): Promise<void> {
    const device = this.#device();
    const n = this.#random.int(0, 5);
    if (n === 0) await this.ask('GET', '/v2/projects', { key: null });
    if (n === 1) await this.ask('GET', '/v2/projects', { key: 'fb_wrong' });
    if (n === 2) await this.ask('GET', `/v2/projects/${device.id}`);
    if (n === 3) await this.ask('POST', `/v2/projects/${device.project}/devices`, { body: { name: '' } });
    if (n === 4) await this.ask('POST', '/integrations/http', { key: device.token, body: [] });
    if (n === 5) await this.ask('GET', `/nothing/${this.#word()}`);
  }
}

const v2 = ({ id, project }: Device) => `/v2/projects/${project}/devices/${id}`;
const local = ({ id, project }: Device) => `/_local/v1/projects/${project}/devices/${id}`;
