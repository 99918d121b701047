import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { someRuns } from '../../helpers/some-runs.ts';

/*
 * Suites side by side in one process (docs/rigs.md, "Worlds"): each makes its own world and does what it wants there, as if it
 * were alone. The model of a world is a map of its projects to devices, and of these to the times of their records.
 */

const SUITES = 16;

type Step =
  | { readonly is: 'project' | 'reset' }
  | { readonly is: 'device' | 'delete-project' | 'remove-project'; readonly n: number }
  | { readonly is: 'store'; readonly n: number; readonly minutes: readonly number[] }
  | { readonly is: 'undo' | 'discard' };

const n = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('project' as const) }) },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('device' as const), n }) },
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant('store' as const),
      n,
      minutes: fc.array(fc.nat({ max: 59 }), { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constantFrom('delete-project' as const, 'remove-project' as const), n }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom('undo' as const, 'discard' as const) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('reset' as const) }) },
);

interface Device {
  readonly project: string;
  readonly token: string;
  readonly times: string[];
}

/** A suite with its world, and what should be there. */
class Suite {
  readonly #service: RunningService;
  readonly #key: string;
  readonly id: string;
  #projects = new Set<string>();
  #devices = new Map<string, Device>();
  /** Projects that were deleted and can be had back, the last one last. */
  #kept: { readonly undo: string; readonly project: string; readonly devices: Map<string, Device> }[] = [];
  readonly ids = new Set<string>();

  constructor(service: RunningService, id: string, key: string) {
    this.#service = service;
    this.id = id;
    this.#key = key;
  }

  static async make(service: RunningService, name: string): Promise<Suite> {
    const { envelope } = await service.request('POST', '/_local/v1/accounts', { body: { name } });
    const { id, api_key } = envelope.data as unknown as { readonly id: string; readonly api_key: string };
    return new Suite(service, id, api_key);
  }

  async take(given: Step): Promise<void> {
    const projects = [...this.#projects];
    const devices = [...this.#devices];
    switch (given.is) {
      case 'project': {
        const { id } = await this.#ask<{ id: string }>('POST', '/_local/v1/projects', { name: 'P' });
        this.#note(id);
        this.#projects.add(id);
        return;
      }
      case 'device': {
        const project = projects[given.n % projects.length];
        if (project === undefined) return;
        const made = await this.#ask<{ id: string; metadata: { device_token: string } }>(
          'POST',
          `/v2/projects/${project}/devices`,
          { name: 'D', source: 'http' },
        );
        this.#note(made.id);
        this.#devices.set(made.id, { project, token: made.metadata.device_token, times: [] });
        return;
      }
      case 'store': {
        const [, device] = devices[given.n % devices.length] ?? [];
        if (device === undefined) return;
        const times = given.minutes.map((minute) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString());
        const body = times.map((timestamp) => ({ timestamp, v: 1 }));
        const { status, text } = await this.#service.request('POST', '/integrations/http', {
          key: device.token,
          body,
        });
        expect(status, text).toBe(200);
        device.times.push(...times);
        return;
      }
      case 'delete-project':
      case 'remove-project':
        return this.#delete(projects[given.n % projects.length], given.is === 'remove-project');
      case 'undo':
      case 'discard': {
        const last = this.#kept.pop();
        if (last === undefined) return;
        if (given.is === 'discard') return void (await this.#ask('DELETE', `/_local/v1/undo/${last.undo}`));
        await this.#ask('POST', `/_local/v1/undo/${last.undo}`);
        this.#projects.add(last.project);
        for (const [id, device] of last.devices) this.#devices.set(id, device);
        return;
      }
      case 'reset': {
        const gone = await this.#ask<object>('POST', '/_local/v1/reset', { to: 'empty' });
        const records = devices.reduce((sum, [, { times }]) => sum + times.length, 0);
        expect(gone).toEqual({ projects: projects.length, devices: devices.length, records });
        this.#projects.clear();
        this.#devices.clear();
        this.#kept = [];
      }
    }
  }

  async check(): Promise<void> {
    const projects = await this.#ask<{ id: string }[]>('GET', '/v2/projects');
    expect(projects.map(({ id }) => id).toSorted()).toEqual([...this.#projects].toSorted());
    for (const project of this.#projects) {
      const there = await this.#ask<{ id: string }[]>('GET', `/v2/projects/${project}/devices`);
      const own = [...this.#devices].filter(([, device]) => device.project === project);
      expect(there.map(({ id }) => id).toSorted()).toEqual(own.map(([id]) => id).toSorted());
      for (const [id, { times }] of own) {
        const data = await this.#ask<{ timestamp: string }[]>(
          'GET',
          `/v2/projects/${project}/devices/${id}/data?page=1&limit=1000&range=all`,
        );
        expect(data.map(({ timestamp }) => Date.parse(timestamp))).toEqual(
          times.map((time) => Date.parse(time)).toSorted((a, b) => b - a),
        );
      }
    }
    const undo = await this.#ask<{ id: string }[]>('GET', '/_local/v1/undo');
    expect(undo.map(({ id }) => id).toSorted()).toEqual(this.#kept.map((kept) => kept.undo).toSorted());
    const requests = await this.#service.request('GET', '/_local/v1/requests', { key: this.#key });
    const named = requests.text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
    for (const device of new Set(named)) this.#seen.add(device);
  }

  /** Ids that stand in its requests. */
  readonly #seen = new Set<string>();
  get seen(): ReadonlySet<string> {
    return this.#seen;
  }

  async #delete(project: string | undefined, isKept: boolean): Promise<void> {
    if (project === undefined) return;
    const path = isKept ? `/_local/v1/projects/${project}` : `/v2/projects/${project}`;
    const answer = await this.#ask<{ undo?: { id: string } }>('DELETE', path);
    const devices = new Map([...this.#devices].filter(([, device]) => device.project === project));
    for (const id of devices.keys()) this.#devices.delete(id);
    this.#projects.delete(project);
    if (isKept) this.#kept.push({ undo: answer.undo?.id ?? '', project, devices });
  }

  #note(id: string): void {
    expect(this.ids.has(id)).toBe(false);
    this.ids.add(id);
  }

  async #ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { envelope, text } = await this.#service.request(method, path, { key: this.#key, body });
    expect(envelope.success, text).toBe(true);
    return envelope.data as T;
  }
}

test('suites that run side by side see their own world alone, whatever each of them does', async () => {
  const service = await runService({ vault: 'memory' });
  const before = (await service.request('GET', '/_local/v1/accounts')).text;
  try {
    const stories = fc.array(fc.array(step, { minLength: 5, maxLength: 25 }), {
      minLength: SUITES,
      maxLength: SUITES,
    });
    await fc.assert(
      fc.asyncProperty(stories, async (all) => {
        const suites = await Promise.all(all.map((_, i) => Suite.make(service, `Suite ${i}`)));
        await Promise.all(
          suites.map(async (suite, i) => {
            for (const each of all[i] ?? []) await suite.take(each);
            await suite.check();
          }),
        );
        for (const suite of suites)
          for (const other of suites)
            if (other !== suite)
              for (const id of suite.ids) {
                expect(other.ids.has(id)).toBe(false);
                expect(other.seen.has(id)).toBe(false);
              }
        await Promise.all(suites.map(({ id }) => service.request('DELETE', `/_local/v1/accounts/${id}`)));
        expect((await service.request('GET', '/_local/v1/accounts')).text).toBe(before);
      }),
      { numRuns: someRuns(100) },
    );
  } finally {
    await service.stop();
  }
});
