import { deepStrictEqual, ok } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHost, type Host } from '../../soak/host.ts';
import { createClient, type Answer, type Client } from '../../soak/technician.ts';
import { expectQuick } from './turns.ts';

/** A device under fuzz, and how many records it must have: what was acknowledged, and what may have been. */
export interface Fuzzed {
  readonly id: string;
  readonly token: string;
  least: number;
  most: number;
  /** What came with each is stored; where nobody heard an answer, perhaps. */
  readonly receipts: Map<string, 'stored' | 'perhaps'>;
}

/** What a service may hold after a batch, of which each has a device of its own; bytes after a collection. */
const MOST_HEAP = 300e6;

/** A real service in a process of its own under fuzz, which is stopped and killed between batches, and what it must hold. */
export class Stage {
  readonly #directory: string;
  readonly #page: string;
  #host: Host;
  #client: Client;
  #project = '';
  #witnesses = 0;
  #restarts = 0;
  /** What breaks nothing is sent to this one: its records are exactly those acknowledged. */
  device: Fuzzed = { id: '', token: '', least: 0, most: 0, receipts: new Map() };
  /** The same over MQTT: what is sent to it is right. */
  mqttDevice: Fuzzed = { id: '', token: '', least: 0, most: 0, receipts: new Map() };
  /** Of a project of its own, which anything may happen to. */
  victim = { project: '', device: '', mqtt: { id: '', token: '' } };

  private constructor(directory: string, page: string, host: Host) {
    this.#directory = directory;
    this.#page = page;
    this.#host = host;
    this.#client = createClient(host);
  }

  static async open(): Promise<Stage> {
    const directory = await mkdtemp(join(tmpdir(), 'fieldbench-fuzz-'));
    const page = join(directory, 'page');
    await mkdir(page);
    await writeFile(join(page, 'index.html'), '<!doctype html><title>The app</title>');
    const stage = new Stage(directory, page, await startHost(join(directory, 'data'), { page }));
    await stage.#begin();
    return stage;
  }

  get port(): number {
    return Number(new URL(this.#host.url).port);
  }

  get mqttPort(): number {
    return Number(new URL(this.#host.mqtt).port);
  }

  /** The path of the data directory's own socket. */
  get socket(): string {
    return join(this.#directory, 'data', 'control.sock');
  }

  get key(): string {
    return this.#host.key;
  }

  /** Of the service's API, to the device that is told of exactly. */
  get devicePath(): string {
    return this.#pathOf(this.device);
  }

  #pathOf({ id }: Fuzzed): string {
    return `projects/${this.#project}/devices/${id}`;
  }

  ask(method: string, path: string, body?: string): Promise<Answer> {
    return this.#client.ask(method, path, body);
  }

  consoleLink(): Promise<string | null> {
    return this.#host.console();
  }

  acknowledged(records: number): void {
    this.device.least += records;
    this.device.most += records;
  }

  /**
   * Hands an input in, and expects that the service goes on: it has logged no error, nobody was kept waiting, and it stores
   * and finds a record. Rejects where it is not so.
   */
  async follow(hand: () => Promise<void>): Promise<void> {
    await expectQuick(async () => {
      await hand();
      const { stalls, errors } = await this.#host.turns();
      deepStrictEqual(errors, [], 'the service logged errors');
      return Math.max(0, ...stalls.map(({ busyMs }) => busyMs));
    });
    const body = JSON.stringify({ witness: ++this.#witnesses });
    const stored = await this.#client.ask('POST', '/integrations/http', body, { token: this.device.token });
    deepStrictEqual([stored.status, stored.body], [200, stored.body], 'a right record behind the input');
    this.acknowledged(1);
  }

  /**
   * Ends a batch: what is there is what was acknowledged, and the same after a stop or, in turn, a kill; then the next
   * device. Rejects where it is not so.
   */
  async settle(): Promise<void> {
    const before = await this.#held();
    const how = this.#restarts++ % 2 === 0 ? 'stop' : 'kill';
    this.#client.close();
    await this.#host[how]();
    this.#host = await startHost(join(this.#directory, 'data'), { page: this.#page });
    this.#client = createClient(this.#host);
    const after = await this.#held();
    ok(after === before, `After a ${how} the device does not answer as before:\n${before}\n${after}`);
    await this.#remove(this.#project);
    if (this.victim.project !== '') await this.#remove(this.victim.project);
    const { heap } = await this.#host.held();
    ok(heap < MOST_HEAP, `The service holds ${Math.round(heap / 1e6)} MB after a batch.`);
    await this.#begin();
  }

  /** All records of the devices as their pages tell them; every witness is there. */
  async #held(): Promise<string> {
    const text = await this.#pagesOf(this.device);
    for (let n = 1; n <= this.#witnesses; n++)
      ok(new RegExp(`"witness":${n}[,}]`).test(text), `Record ${n} of a right sender is missing.`);
    return `${text}\n${await this.#pagesOf(this.mqttDevice)}`;
  }

  /** Their number is as acknowledged. */
  async #pagesOf(device: Fuzzed): Promise<string> {
    const pages: string[] = [];
    for (let page = 1, total = 1; (page - 1) * PAGE < total; page++) {
      const path = `/v2/${this.#pathOf(device)}/data?page=${page}&limit=${PAGE}&range=all`;
      const answer = await this.#client.ask('GET', path);
      deepStrictEqual([answer.status, answer.status === 200 ? '' : answer.body], [200, '']);
      total = answer.total ?? 0;
      const { least, most } = device;
      ok(least <= total && total <= most, `${total} records, ${least} to ${most} were acknowledged`);
      pages.push(answer.body);
    }
    return pages.join('\n');
  }

  async #begin(): Promise<void> {
    this.#witnesses = 0;
    this.#project = await this.#create('/_local/v1/projects', { name: 'Fuzzed' }, ({ id }) => id);
    this.device = await this.#createDevice('http');
    this.mqttDevice = await this.#createDevice('mqtt');
    await this.#fill();
    await this.revive();
  }

  #createDevice(source: 'http' | 'mqtt'): Promise<Fuzzed> {
    return this.#create(
      `/v2/projects/${this.#project}/devices`,
      { name: 'Fuzzed', source },
      ({ id, metadata }) => ({
        id,
        token: metadata?.device_token ?? '',
        least: 0,
        most: 0,
        receipts: new Map(),
      }),
    );
  }

  /** Records that can be asked for: of several keys and kinds, late ones among them. */
  async #fill(): Promise<void> {
    const records = Array.from({ length: FILLED }, (_, n) => ({
      timestamp: 1.7e12 + ((n * 7) % FILLED) * 1000,
      a: n / 8,
      ...(n % 3 === 0 ? { b: n, text: `x"${n % 5}` } : { on: n % 2 === 0 }),
    }));
    const { token } = this.device;
    const stored = await this.#client.ask('POST', '/integrations/http', JSON.stringify(records), { token });
    deepStrictEqual([stored.status, stored.body], [200, stored.body]);
    this.acknowledged(FILLED);
  }

  /** Makes another victim where something happened to it. */
  async revive(): Promise<void> {
    const { project: old, device: gone } = this.victim;
    const there = old === '' ? null : await this.ask('GET', `/v2/projects/${old}/devices/${gone}`);
    if (there?.status === 200) return;
    const project = await this.#create('/_local/v1/projects', { name: 'Victim' }, ({ id }) => id);
    const devices = `/v2/projects/${project}/devices`;
    const device = await this.#create(devices, { name: 'Victim', source: 'http' }, ({ id }) => id);
    const mqtt = await this.#create(devices, { name: 'Victim', source: 'mqtt' }, ({ id, metadata }) => ({
      id,
      token: metadata?.device_token ?? '',
    }));
    this.victim = { project, device, mqtt };
  }

  async #create<T>(path: string, body: object, read: (data: Created) => T): Promise<T> {
    const answer = await this.ask('POST', path, JSON.stringify(body));
    const { success, data } = JSON.parse(answer.body) as { success: boolean; data: Created };
    if (!success) throw new Error(`${path}: ${answer.body}`);
    return read(data);
  }

  async #remove(project: string): Promise<void> {
    const { status, body } = await this.ask('DELETE', `/v2/projects/${project}`);
    ok(status === 200 || status === 404, body);
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#host.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

interface Created {
  readonly id: string;
  readonly metadata?: { readonly device_token: string };
}

const PAGE = 10_000;
const FILLED = 300;
