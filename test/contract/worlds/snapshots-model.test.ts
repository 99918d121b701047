import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { generator } from '../../faults/random-crashes.ts';
import { withSeed } from '../../helpers/chance.ts';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { anAlarm } from '../../suites/metadata/rows.ts';
import { dataOf, SETTABLE } from '../world.ts';
import { worldText } from './world-text.ts';

/*
 * Random stories of a world and its snapshots, over HTTP: whatever was stored, deleted, undone, moved in time or started anew since,
 * a restore brings what could be seen when the snapshot was taken, and nobody else's world hears of it.
 */

const STEPS = 40;
const SNAPSHOTS = '/_local/v1/snapshots';
let service: RunningService;

const start = (directory?: string) =>
  runService(
    { ...(directory !== undefined && { directory }), vault: 'file', clock: SETTABLE },
    { isAlone: true },
  );
beforeEach(async () => {
  service = await start();
});
afterEach(() => service.stop());

interface Device {
  readonly project: string;
  readonly id: string;
  readonly token: string;
}

class Story {
  readonly #random: () => number;
  readonly #key: string;
  readonly #texts = new Map<string, string>();
  readonly done: string[] = [];
  #n = 0;

  constructor(seed: number, key: string) {
    this.#random = generator(seed);
    this.#key = key;
  }

  #ask(method: string, path: string, body?: unknown) {
    return service.request(method, path, { key: this.#key, ...(body !== undefined && { body }) });
  }

  async #list<T>(path: string): Promise<readonly T[]> {
    return (await this.#ask('GET', path)).envelope.data as unknown as readonly T[];
  }

  #pick<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.#random() * all.length)];
  }

  #projects = () => this.#list<{ readonly id: string }>('/v2/projects');

  async #devices(): Promise<Device[]> {
    const found: Device[] = [];
    for (const { id: project } of await this.#projects()) {
      const path = `/v2/projects/${project}/devices?page=1&limit=100`;
      for (const { id } of await this.#list<{ readonly id: string }>(path)) {
        const one = await this.#ask('GET', `/v2/projects/${project}/devices/${id}`);
        const { device_credentials } = one.envelope.data as unknown as {
          readonly device_credentials: { readonly device_token: string };
        };
        found.push({ project, id, token: device_credentials.device_token });
      }
    }
    return found;
  }

  /** By names that tell what was done when a story fails. */
  readonly #acts: Readonly<Record<string, () => Promise<unknown>>> = {
    project: () => this.#ask('POST', '/_local/v1/projects', { name: `Project ${this.#n++}` }),
    device: async () => {
      const project = this.#pick(await this.#projects());
      if (project)
        await this.#ask('POST', `/v2/projects/${project.id}/devices`, {
          name: `D${this.#n++}`,
          source: 'http',
        });
    },
    store: async () => {
      const device = this.#pick(await this.#devices());
      const records = Array.from({ length: 1 + Math.floor(this.#random() * 30) }, () => ({ n: this.#n++ }));
      if (!device) return;
      const { status } = await service.request('POST', '/integrations/http', {
        key: device.token,
        body: records,
      });
      expect(status).toBe(200);
    },
    import: async () => {
      const device = this.#pick(await this.#devices());
      const bytes = Array.from(
        { length: 700 },
        (_, i) => `${JSON.stringify({ timestamp: i * 1000, n: this.#n++ })}\n`,
      );
      if (!device) return;
      const path = `/_local/v1/projects/${device.project}/devices/${device.id}/records?format=ndjson`;
      const raw = { type: 'application/x-ndjson', bytes: bytes.join('') };
      expect((await service.request('POST', path, { key: this.#key, raw })).status).toBe(200);
    },
    note: async () => {
      const device = this.#pick(await this.#devices());
      if (device)
        await this.#ask('POST', `/_local/v1/projects/${device.project}/devices/${device.id}/notes`, {
          start: '2026-03-02T20:31:00Z',
          text: `Note ${this.#n++}`,
        });
    },
    alarm: async () => {
      const device = this.#pick(await this.#devices());
      if (!device) return;
      const { project: project_id, id: device_id } = device;
      const alarm = anAlarm(randomUUID(), { project_id, device_id, function_id: randomUUID() });
      await service.metadata.change((tables) => tables.insert('alarms', alarm));
    },
    rule: async () => {
      const device = this.#pick(await this.#devices());
      if (!device) return;
      const path = `/_local/v1/projects/${device.project}/functions`;
      const condition = { when: { key: 'n', above: 1e9 + this.#n++ } };
      const there = this.#pick(await this.#list<{ readonly id: string }>(path));
      const method = this.#pick(['POST', 'PATCH', 'DELETE']);
      if (there && method === 'PATCH') await this.#ask(method, `${path}/${there.id}`, { condition });
      else if (there && method === 'DELETE') await this.#ask(method, `${path}/${there.id}`);
      else {
        const devices = { device_id: device.id };
        await this.#ask('POST', path, { ...devices, name: 'Rule', type: 'rule', condition });
      }
    },
    correct: async () => {
      const device = this.#pick(await this.#devices());
      if (!device) return;
      const path = `/_local/v1/projects/${device.project}/devices/${device.id}/corrections`;
      const correction = this.#pick(await this.#list<{ readonly id: string }>(path));
      const points = { gain: 1 + this.#n++, offset: 0 };
      const method = this.#pick(['POST', 'PATCH', 'DELETE']);
      if (correction && method === 'PATCH') await this.#ask(method, `${path}/${correction.id}`, { points });
      else if (correction && method === 'DELETE') await this.#ask(method, `${path}/${correction.id}`);
      else await this.#ask('POST', path, { kind: 'calibration', key: 'n', points });
    },
    view: () => this.#ask('POST', '/_local/v1/views', { name: `View ${this.#n++}`, address: '#/service' }),
    apiKey: () => this.#ask('POST', '/_local/v1/keys', { name: `Key ${this.#n++}`, permissions: ['read'] }),
    token: async () => {
      const device = this.#pick(await this.#devices());
      if (device) await this.#ask('POST', `/_local/v1/projects/${device.project}/devices/${device.id}/token`);
    },
    move: async () => {
      const [device, project] = [this.#pick(await this.#devices()), this.#pick(await this.#projects())];
      if (device && project)
        await this.#ask('POST', `/_local/v1/projects/${device.project}/devices/${device.id}/move`, {
          to: project.id,
        });
    },
    remove: async () => {
      const device = this.#pick(await this.#devices());
      const from = this.#pick(['/v2', '/_local/v1']) ?? '';
      if (device) await this.#ask('DELETE', `${from}/projects/${device.project}/devices/${device.id}`);
    },
    removeProject: async () => {
      const project = this.#pick(await this.#projects());
      const from = this.#pick(['/v2', '/_local/v1']) ?? '';
      if (project) await this.#ask('DELETE', `${from}/projects/${project.id}`);
    },
    purge: async () => {
      const device = this.#pick(await this.#devices());
      if (device) await this.#ask('DELETE', `/v2/projects/${device.project}/devices/${device.id}/data`);
    },
    removeRecords: async () => {
      const device = this.#pick(await this.#devices());
      const span = this.#pick(['', '?start=1970-01-01T00:00:10Z&end=1970-01-01T00:05:00Z']) ?? '';
      if (device)
        await this.#ask(
          'DELETE',
          `/_local/v1/projects/${device.project}/devices/${device.id}/records${span}`,
        );
    },
    undo: async () => {
      const kept = this.#pick(await this.#list<{ readonly id: string }>('/_local/v1/undo'));
      if (kept) await this.#ask(this.#pick(['POST', 'DELETE']) ?? 'POST', `/_local/v1/undo/${kept.id}`);
    },
    clock: () => service.request('POST', '/_local/v1/clock/advance', { body: { ms: 3_600_000 } }),
    reset: () => this.#ask('POST', '/_local/v1/reset', { to: 'empty' }),
    restart: async () => {
      const before = await this.text();
      const { directory } = service;
      await service.service.close();
      service = await start(directory);
      expect(await this.text()).toBe(before);
    },
    take: async () => {
      const name = `s${this.#n++}`;
      expect((await this.#ask('POST', SNAPSHOTS, { name })).status).toBe(200);
      this.#texts.set(name, await this.text());
    },
    restore: async () => {
      const name = this.#pick([...this.#texts.keys()]);
      if (name === undefined) return;
      expect((await this.#ask('POST', `${SNAPSHOTS}/${name}/restore`)).status).toBe(200);
      expect(await this.text()).toBe(this.#texts.get(name));
    },
    forget: async () => {
      const name = this.#pick([...this.#texts.keys()]);
      if (name === undefined) return;
      const before = await this.text();
      expect((await this.#ask('DELETE', `${SNAPSHOTS}/${name}`)).status).toBe(200);
      this.#texts.delete(name);
      expect(await this.text()).toBe(before);
    },
  };

  text = () => worldText(service, this.#key);

  async step(): Promise<void> {
    const often = ['device', 'device', 'store', 'store', 'store', 'import', 'take', 'restore', 'restore'];
    const name = this.#pick([...Object.keys(this.#acts), ...often]) ?? 'project';
    this.done.push(name);
    await this.#acts[name]?.();
  }
}

test.skipIf(inDatabase)(
  'a restore brings what there was, whatever came since',
  { timeout: 300_000 },
  async () => {
    for (let run = 0; run < someRuns(8); run++)
      await withSeed(async (seed) => {
        const make = (name: string) => dataOf(service, 'POST', '/_local/v1/accounts', { name });
        const [one, other] = [await make('One'), await make('Other')];
        const story = new Story(seed, one['api_key'] as string);
        const beside = new Story(seed + 1, other['api_key'] as string);
        let text = await beside.text();
        try {
          for (let step = 0; step < STEPS; step++) {
            await story.step();
            expect(await beside.text()).toBe(text);
            if (step % 8 === 0) {
              await beside.step();
              text = await beside.text();
            }
          }
        } catch (error) {
          throw new Error(
            `${story.done.join(', ')}: ${error instanceof Error ? error.message : String(error)}`,
            {
              cause: error,
            },
          );
        }
      });
  },
);
