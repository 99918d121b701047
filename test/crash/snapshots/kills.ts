import { hash } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { generator } from '../../faults/random-crashes.ts';
import { startServiceProcess, type ServiceProcess } from '../../helpers/service/service-process.ts';

/* A service that is killed while it takes, restores and deletes snapshots, and while a device of another world stores. */

const DEVICES = 40;
const RECORDS = 600;
const SNAPSHOTS = '/_local/v1/snapshots';
const NDJSON = { 'content-type': 'application/x-ndjson' };

interface Device {
  readonly id: string;
  readonly token: string;
}

const start = (directory: string) =>
  startServiceProcess({ directory, args: ['--vault', 'file', '--tls', 'off'] });

async function ask<T>(service: ServiceProcess, method: string, path: string, body?: unknown): Promise<T> {
  const { data, message } = await service.call<T>(method, path, body);
  if (data === null) throw new Error(`${method} ${path}: ${message}`);
  return data;
}

class Story {
  readonly project: string;
  readonly devices: Device[] = [];
  readonly writer: Device;
  readonly #key: string;

  private constructor(project: string, key: string, writer: Device) {
    this.project = project;
    this.#key = key;
    this.writer = writer;
  }

  static async begin(service: ServiceProcess): Promise<Story> {
    const { id: project } = await ask<{ id: string }>(service, 'POST', '/_local/v1/projects', {
      name: 'Rig',
    });
    const { api_key } = await ask<{ api_key: string }>(service, 'POST', '/_local/v1/accounts', {
      name: 'Other',
    });
    const asOther = async <T>(path: string, body: unknown) => {
      const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
      const answer = await service.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return ((await answer.json()) as { data: T }).data;
    };
    const { id: others } = await asOther<{ id: string }>('/_local/v1/projects', { name: 'Others' });
    const writer = await asOther<Made>(`/v2/projects/${others}/devices`, { name: 'Writer', source: 'http' });
    const story = new Story(project, api_key, deviceOf(writer));
    story.#others = others;
    for (let n = 0; n < DEVICES; n++)
      story.devices.push(
        deviceOf(
          await ask<Made>(service, 'POST', `/v2/projects/${project}/devices`, {
            name: `Device ${n}`,
            source: 'http',
          }),
        ),
      );
    for (const [n, device] of story.devices.entries())
      await story.fill(service, device, n, n % 3 === 0 ? RECORDS : 20);
    return story;
  }

  #others = '';

  path({ id }: Device): string {
    return `/_local/v1/projects/${this.project}/devices/${id}`;
  }

  async fill(service: ServiceProcess, device: Device, n: number, count: number): Promise<void> {
    const lines = Array.from(
      { length: count },
      (_, i) => `${JSON.stringify({ timestamp: i * 1000, n, i })}\n`,
    );
    const path = `${this.path(device)}/records?format=ndjson`;
    await done(service.fetch(path, { method: 'POST', headers: NDJSON, body: lines.join('') }));
    // Some of it is in the log alone.
    for (let i = 0; i < 3; i++) await this.send(service, device, { timestamp: 10_000_000 + i, i });
  }

  async send(service: ServiceProcess, { token }: Device, body: unknown): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    await done(service.fetch('/integrations/http', { method: 'POST', headers, body: JSON.stringify(body) }));
  }

  /** What a restore has to take back. */
  async change(service: ServiceProcess): Promise<void> {
    for (const [n, device] of this.devices.entries()) {
      if (n % 4 === 0) await done(service.fetch(this.path(device), { method: 'DELETE' }));
      else if (n % 4 === 1)
        await done(service.fetch(`/v2/projects/${this.project}/devices/${device.id}`, { method: 'DELETE' }));
      else if (n % 4 === 2) await done(service.fetch(`${this.path(device)}/records`, { method: 'DELETE' }));
      else await this.fill(service, device, n + 1000, 50);
    }
    for (let n = 0; n < 5; n++)
      await ask(service, 'POST', `/v2/projects/${this.project}/devices`, {
        name: `New ${n}`,
        source: 'http',
      });
    await ask(service, 'POST', `${this.path(this.devices[3]!)}/token`);
  }

  /** All that there is in the world, as one text. */
  async text(service: ServiceProcess): Promise<string> {
    const found: unknown[] = [await ask(service, 'GET', '/_local/v1/undo')];
    const devices = await ask<{ id: string }[]>(
      service,
      'GET',
      `/v2/projects/${this.project}/devices?page=1&limit=100`,
    );
    for (const device of devices) {
      const answer = await service.fetch(
        `/_local/v1/projects/${this.project}/devices/${device.id}/records?format=ndjson`,
      );
      const one = await ask(service, 'GET', `/v2/projects/${this.project}/devices/${device.id}`);
      found.push(one, hash('sha256', Buffer.from(await answer.arrayBuffer())));
    }
    // A service has other ports each time.
    return JSON.stringify(found).replaceAll(/127\.0\.0\.1:\d+/g, 'here');
  }

  /** Stores until the service is gone; resolves with how many were acknowledged. */
  async write(service: ServiceProcess): Promise<number> {
    for (let stored = 0; ; stored++)
      try {
        await this.send(service, this.writer, { timestamp: stored, n: stored });
      } catch {
        return stored;
      }
  }

  async written(service: ServiceProcess): Promise<number> {
    const headers = { authorization: `Bearer ${this.#key}` };
    const path = `/_local/v1/projects/${this.#others}/devices/${this.writer.id}/summary`;
    const answer = await service.fetch(path, { headers });
    return ((await answer.json()) as { data: { records: number } }).data.records;
  }
}

interface Made {
  readonly id: string;
  readonly metadata: { readonly device_token: string };
}

const deviceOf = ({ id, metadata }: Made): Device => ({ id, token: metadata.device_token });

async function done(asked: Promise<Response>): Promise<void> {
  const answer = await asked;
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
}

const namesIn = async (service: ServiceProcess) =>
  (await ask<{ name: string }[]>(service, 'GET', SNAPSHOTS)).map(({ name }) => name);

/**
 * Kills a service so many times, in turn while it restores, takes and deletes a snapshot. Resolves with what it did; throws where one
 * was restored by half, or something that was acknowledged is not there.
 */
export async function killedSnapshots(seed: number, kills: number): Promise<string> {
  const random = generator(seed);
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-snapshots-'));
  const template = join(folder, 'template');
  let service = await start(template);
  const story = await Story.begin(service);
  const then = await story.text(service);
  await ask(service, 'POST', SNAPSHOTS, { name: 'then' });
  await story.change(service);
  const now = await story.text(service);
  await service.stop();
  if (now === then) throw new Error('Nothing was changed.');

  const acts = {
    restore: () => ask(service, 'POST', `${SNAPSHOTS}/then/restore`),
    take: () => ask(service, 'POST', SNAPSHOTS, { name: 'now' }),
    remove: () =>
      ask(service, 'POST', `${SNAPSHOTS}/then/restore`).then(() =>
        ask(service, 'DELETE', `${SNAPSHOTS}/then`),
      ),
  };
  const names = Object.keys(acts) as (keyof typeof acts)[];
  const count = { before: 0, after: 0, records: 0 };
  for (let round = 0; round < kills; round++) {
    const name = names[round % names.length]!;
    const directory = join(folder, `round-${round}`);
    await cp(template, directory, { recursive: true });
    service = await start(directory);
    const writing = story.write(service);
    const working = acts[name]().then(
      () => true,
      () => false,
    );
    await delay(random() * 150);
    await service.kill();
    const isDone = await working;
    const stored = await writing;
    service = await start(directory);
    const fail = (why: string) => new Error(`Round ${round}, ${name}: ${why}: ${directory}`);
    const found = await story.text(service);
    const isThen = found === then;
    if (!isThen && found !== now) throw fail('neither as it was nor as it is');
    if (name === 'take' && isThen) throw fail('something was restored');
    if (name !== 'take' && isDone && !isThen) throw fail('an acknowledged restore is not there');
    const known = await namesIn(service);
    if (name === 'take' && isDone && !known.includes('now'))
      throw fail('an acknowledged snapshot is not there');
    if (name === 'remove' && isDone && known.includes('then')) throw fail('a deleted snapshot is there');
    const written = await story.written(service);
    if (written < stored) throw fail(`${stored - written} acknowledged records are not there`);
    // Whatever was cut off, the next one works.
    for (const each of known.toReversed()) {
      await ask(service, 'POST', `${SNAPSHOTS}/${each}/restore`);
      const again = await story.text(service);
      if (again !== (each === 'then' ? then : now)) throw fail(`${each} is not restored`);
    }
    await service.stop();
    count[isThen ? 'after' : 'before']++;
    count.records += stored;
    await rm(directory, { recursive: true });
  }
  await rm(folder, { recursive: true });
  return `${kills} kills, ${count.before} before and ${count.after} after a restore was decided, ${count.records} records acknowledged meanwhile`;
}
