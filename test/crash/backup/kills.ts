import { hash } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { generator } from '../../faults/random-crashes.ts';
import { startServiceProcess, type ServiceProcess } from '../../helpers/service/service-process.ts';

/* A service that is killed in the middle of a backup or a restore, while a device stores. */

const DEVICES = 12;
const RECORDS = 1500;
/** Devices that were deleted for good since the backup, and those that lost a part of their records. */
const [GONE, LESS] = [3, 4];
const MINUTE = 60_000;

interface Device {
  readonly id: string;
  readonly token: string;
}

/** What was kept of each device, by its number; null where it is not there. */
type Kept = readonly (string | null)[];

const start = (directory: string) =>
  startServiceProcess({ directory, args: ['--vault', 'memory', '--tls', 'off'] });

class Story {
  readonly project: string;
  readonly devices: readonly Device[];
  /** Stores while the service is killed. */
  readonly writer: Device;

  private constructor(project: string, devices: readonly Device[], writer: Device) {
    this.project = project;
    this.devices = devices;
    this.writer = writer;
  }

  static async begin(service: ServiceProcess): Promise<Story> {
    const project = await made(service, '/_local/v1/projects', { name: 'Field' });
    const device = async (name: string): Promise<Device> => {
      const found = await made(service, `/v2/projects/${project.id}/devices`, { name, source: 'http' });
      return { id: found.id, token: (found.metadata as { device_token: string }).device_token };
    };
    const devices: Device[] = [];
    for (let n = 0; n < DEVICES; n++) devices.push(await device(`Device ${n}`));
    const story = new Story(project.id, devices, await device('Writer'));
    for (const [n, each] of devices.entries()) {
      const lines = Array.from({ length: RECORDS }, (_, i) => {
        return `${JSON.stringify({ timestamp: i * MINUTE, value: (i * 7919) % 1000, of: `device ${n}` })}\n`;
      });
      const path = `${story.path(each)}/records?format=ndjson`;
      await expectDone(service.fetch(path, { method: 'POST', headers: NDJSON, body: lines.join('') }));
    }
    return story;
  }

  path({ id }: Device): string {
    return `/_local/v1/projects/${this.project}/devices/${id}`;
  }

  async lose(service: ServiceProcess): Promise<void> {
    for (const device of this.devices.slice(0, GONE))
      await expectDone(
        service.fetch(`/v2/projects/${this.project}/devices/${device.id}`, { method: 'DELETE' }),
      );
    const [from, to] = [RECORDS / 3, RECORDS / 2].map((n) => new Date(n * MINUTE).toISOString());
    for (const device of this.devices.slice(GONE, GONE + LESS))
      await expectDone(
        service.fetch(`${this.path(device)}/records?start=${from}&end=${to}`, { method: 'DELETE' }),
      );
  }

  async kept(service: ServiceProcess): Promise<Kept> {
    const all: (string | null)[] = [];
    for (const device of this.devices) {
      const answer = await service.fetch(`${this.path(device)}/records?format=ndjson`);
      all.push(answer.status === 200 ? hash('sha256', Buffer.from(await answer.arrayBuffer())) : null);
    }
    return all;
  }

  /** Stores one record after the other until the service is gone; resolves with those that were acknowledged. */
  async write(service: ServiceProcess): Promise<number> {
    for (let stored = 0; ; stored++)
      try {
        const headers = { authorization: `Bearer ${this.writer.token}` };
        const body = JSON.stringify({ timestamp: stored, n: stored });
        await expectDone(service.fetch('/integrations/http', { method: 'POST', headers, body }));
      } catch {
        return stored;
      }
  }

  async written(service: ServiceProcess): Promise<number> {
    const answer = await service.fetch(`${this.path(this.writer)}/summary`);
    return ((await answer.json()) as { data: { records: number } }).data.records;
  }
}

const NDJSON = { 'content-type': 'application/x-ndjson' };
const TAR = { 'content-type': 'application/x-tar' };

async function made(service: ServiceProcess, path: string, body: unknown) {
  const { data, message } = await service.call<{ id: string; metadata?: unknown }>('POST', path, body);
  if (data === null) throw new Error(message);
  return data;
}

async function expectDone(asked: Promise<Response>): Promise<Response> {
  const answer = await asked;
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer;
}

const backup = async (service: ServiceProcess) =>
  new Uint8Array(await (await expectDone(service.fetch('/_local/v1/backup'))).arrayBuffer());
const restore = (service: ServiceProcess, body: Uint8Array) =>
  expectDone(service.fetch('/_local/v1/restore', { method: 'POST', headers: TAR, body }));

async function verified(service: ServiceProcess): Promise<{ readonly harmed: number }> {
  const answer = await expectDone(service.fetch('/_local/v1/audit/verify'));
  return ((await answer.json()) as { data: { harmed: number } }).data;
}

/**
 * Kills a service so many times, in turn in the middle of a restore and of a backup. Resolves with what it did; throws where one
 * was restored by half, or a record that was acknowledged is not there.
 */
export async function killedBackups(seed: number, kills: number): Promise<string> {
  const random = generator(seed);
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-backups-'));
  const template = join(folder, 'template');
  let service = await start(template);
  const story = await Story.begin(service);
  const file = await backup(service);
  await story.lose(service);
  const before = await story.kept(service);
  await service.stop();

  const trial = join(folder, 'trial');
  await cp(template, trial, { recursive: true });
  service = await start(trial);
  const began = performance.now();
  await restore(service, file);
  const takesMs = performance.now() - began;
  const after = await story.kept(service);
  await service.stop();
  if (JSON.stringify(after) === JSON.stringify(before)) throw new Error('The restore changed nothing.');

  const count = { none: 0, all: 0, records: 0 };
  for (let round = 0; round < kills; round++) {
    const isRestore = round % 2 === 0;
    const directory = join(folder, `round-${round}`);
    await cp(template, directory, { recursive: true });
    service = await start(directory);
    const writing = story.write(service);
    const working = (isRestore ? restore(service, file) : backup(service)).then(
      () => true,
      () => false,
    );
    await delay(random() * takesMs * 1.5);
    await service.kill();
    const isDone = await working;
    const stored = await writing;
    service = await start(directory);
    const kept = JSON.stringify(await story.kept(service));
    const { harmed } = await verified(service);
    if (harmed > 0) throw new Error(`Round ${round}: the audit trail is not as it was written: ${directory}`);
    const isAll = kept === JSON.stringify(after);
    if (!isAll && kept !== JSON.stringify(before))
      throw new Error(`Round ${round} was restored by half: ${directory}`);
    if (isAll && !isRestore) throw new Error(`Round ${round}: a backup restored something: ${directory}`);
    if (isRestore && isDone && !isAll)
      throw new Error(`Round ${round}: an acknowledged restore is not there: ${directory}`);
    const written = await story.written(service);
    if (written < stored)
      throw new Error(`Round ${round}: ${stored - written} acknowledged records are not there: ${directory}`);
    await service.stop();
    if (isRestore) count[isAll ? 'all' : 'none']++;
    count.records += stored;
    await rm(directory, { recursive: true });
  }
  await rm(folder, { recursive: true });
  return `${kills} kills, of restores ${count.none} before and ${count.all} after they were decided, ${count.records} records acknowledged meanwhile`;
}
