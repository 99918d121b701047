import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  CorrectionVersion,
  GivenCorrection,
  ShownCorrection,
} from '#shared/operations/metadata/corrections.ts';
import { givenOf } from '#shared/operations/metadata/given-correction.ts';
import { generator } from '../../faults/random-crashes.ts';
import { withSeed } from '../../helpers/chance.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { dataOf } from '../world.ts';

/*
 * Random corrections made, changed, removed, taken back and done again, of devices that move, are deleted and come back, beside a
 * naive model: of each correction a list of all that it ever said.
 */

let service: RunningService;
beforeAll(async () => void (service = await runService()));
afterAll(() => service.stop());

const STEPS = 50;

/** A correction: what it said by each version, null where it was removed. */
interface Known {
  readonly id: string;
  readonly device: number;
  readonly said: (GivenCorrection | null)[];
}

interface Device {
  readonly id: string;
  project: string;
  /** How its delete is undone; null where it is there. */
  undo: string | null;
}

/** One that was done, as an edit takes it back. */
interface Done {
  readonly known: Known;
  readonly was: GivenCorrection | null;
  readonly be: GivenCorrection | null;
}

class Story {
  readonly told: string[] = [];
  readonly known: Known[] = [];
  readonly devices: Device[] = [];
  projects: string[] = [];
  #done: Done[] = [];
  #n = 0;
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = generator(seed);
  }

  pick<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.#random() * all.length)];
  }

  async begin(): Promise<void> {
    for (const name of ['One', 'Other'])
      this.projects.push((await dataOf(service, 'POST', '/_local/v1/projects', { name })).id);
    for (const [i, project] of [...this.projects, ...this.projects].entries()) {
      const path = `/v2/projects/${project}/devices`;
      const { id } = await dataOf(service, 'POST', path, { name: `D${i}`, source: 'http' });
      this.devices.push({ id, project, undo: null });
    }
  }

  path = ({ project, id }: Device) => `/_local/v1/projects/${project}/devices/${id}`;

  #word = () => `w${++this.#n}`;

  #time = () => new Date(Date.UTC(2026, 2, 1) + Math.floor(this.#random() * 1e9)).toISOString();

  #given(): GivenCorrection {
    const [from = '', to = ''] = [this.#time(), this.#time()].toSorted().map(inMicros);
    const made: GivenCorrection[] = [
      { kind: 'quality', keys: null, from, to, quality: 'fail', reason: this.#word() },
      { kind: 'quality', keys: ['a', this.#word()], from, to, quality: 'suspect', reason: 'b' },
      { kind: 'calibration', key: 'a', points: [[0, this.#random()]], by: this.#word() },
      { kind: 'calibration', key: 'a', points: { gain: 1 + this.#random(), offset: 0 }, unit: 'K', from },
      { kind: 'time', from, to, shift_us: 1 + Math.floor(this.#random() * 1e9) },
      { kind: 'derived', key: this.#word(), of: 'a + mean("b c", 10min)', within_s: 5 },
    ];
    return made[Math.floor(this.#random() * made.length)] as GivenCorrection;
  }

  /** By names that tell what was done when a story fails. */
  readonly acts: Readonly<Record<string, () => Promise<unknown>>> = {
    create: async () => {
      const device = this.pick([...this.devices.keys()].filter((i) => this.devices[i]?.undo === null));
      if (device === undefined) return;
      const given = this.#given();
      const { id } = await dataOf(service, 'POST', `${this.path(this.devices[device]!)}/corrections`, given);
      const known = { id, device, said: [given] };
      this.known.push(known);
      this.#done.push({ known, was: null, be: given });
    },
    change: async () => {
      const known = this.#live();
      const was = known?.said.at(-1);
      if (!known || !was) return;
      const be = { ...was, reason: this.#word() };
      await this.#ask('PATCH', known, { reason: be.reason });
      known.said.push(be);
      this.#done.push({ known, was, be });
    },
    same: async () => {
      const known = this.#live();
      if (known) await this.#ask('PATCH', known, { reason: known.said.at(-1)?.reason ?? null });
    },
    remove: async () => {
      const known = this.#live();
      const was = known?.said.at(-1);
      if (!known || !was) return;
      await this.#ask('DELETE', known);
      known.said.push(null);
      this.#done.push({ known, was, be: null });
    },
    /** Of the last one, or of one that may have been changed since: then it is refused, and changes nothing. */
    takeBack: async () => {
      const done = this.pick(this.#done);
      if (!done || this.devices[done.known.device]?.undo !== null) return;
      const { known, was: be, be: was } = done;
      const { project, id: device_id } = this.devices[known.device]!;
      const edit = { device_id, correction_id: known.id, was, be };
      const { status } = await service.request('POST', `/_local/v1/projects/${project}/edits`, {
        body: { corrections: [edit] },
      });
      const now = known.said.at(-1) ?? null;
      const isThere = text(now) === text(be);
      expect(status).toBe(isThere || text(now) === text(was) ? 200 : 400);
      if (status !== 200 || isThere) return;
      known.said.push(be);
      this.#done.push({ known, was, be });
    },
    move: async () => {
      const device = this.pick(this.devices.filter(({ undo }) => undo === null));
      const to = this.pick(this.projects);
      if (!device || to === undefined) return;
      await dataOf(service, 'POST', `${this.path(device)}/move`, { to });
      device.project = to;
    },
    delete: async () => {
      const device = this.pick(this.devices.filter(({ undo }) => undo === null));
      if (!device) return;
      const { undo } = await dataOf(service, 'DELETE', this.path(device));
      device.undo = (undo as { readonly id: string }).id;
    },
    restore: async () => {
      const device = this.pick(this.devices.filter(({ undo }) => undo !== null));
      if (!device) return;
      await dataOf(service, 'POST', `/_local/v1/undo/${device.undo}`, {});
      device.undo = null;
    },
  };

  #live(): Known | undefined {
    return this.pick(
      this.known.filter(({ said, device }) => said.at(-1) !== null && this.devices[device]?.undo === null),
    );
  }

  #ask = (method: string, { id, device }: Known, body?: object) =>
    dataOf(service, method, `${this.path(this.devices[device]!)}/corrections/${id}`, body);

  async step(): Promise<void> {
    const often = ['create', 'create', 'change', 'change', 'remove', 'takeBack', 'takeBack', 'restore'];
    const name = this.pick([...Object.keys(this.acts), ...often]) ?? 'create';
    this.told.push(name);
    await this.acts[name]?.();
  }

  async compare(): Promise<void> {
    for (const [i, device] of this.devices.entries()) {
      const path = `${this.path(device)}/corrections`;
      if (device.undo !== null) {
        expect((await service.request('GET', path)).status).toBe(404);
        continue;
      }
      const own = this.known.filter((known) => known.device === i);
      const list = (await dataOf(service, 'GET', path)) as unknown as readonly ShownCorrection[];
      expect(list.map((each) => [each.id, each.version, text(givenOf(each))])).toEqual(
        own.flatMap(({ id, said }) => {
          const last = said.at(-1) ?? null;
          return last === null ? [] : [[id, said.length, text(last)]];
        }),
      );
      const history = (await dataOf(
        service,
        'GET',
        `${path}/history`,
      )) as unknown as readonly CorrectionVersion[];
      for (const { id, said } of own) {
        const found = history.filter(({ correction_id }) => correction_id === id).toReversed();
        const shown = (each: CorrectionVersion['after'], kind: ShownCorrection['kind']) =>
          each && text(givenOf({ kind, ...each }));
        expect(
          found.map(({ version, act, kind, before, after }) => [
            version,
            act,
            shown(before, kind),
            shown(after, kind),
          ]),
        ).toEqual(
          said.map((after, n) => {
            const before = said[n - 1] ?? null;
            const act =
              after === null ? 'removed' : before !== null ? 'changed' : n === 0 ? 'created' : 'restored';
            return [n + 1, act, before && text(before), after && text(after)];
          }),
        );
      }
      expect(history).toHaveLength(own.reduce((sum, { said }) => sum + said.length, 0));
    }
  }
}

const inMicros = (time: string) => time.replace('Z', '000Z');

/** The same text for the same fields, in whatever order, absent ones as null. */
const text = (given: GivenCorrection | null) =>
  JSON.stringify(
    Object.entries(given ?? {})
      .filter(([, value]) => value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

test('corrections and their history are what a naive model says, whatever is done to them', async () => {
  for (let run = 0; run < someRuns(16); run++)
    await withSeed(async (seed) => {
      const story = new Story(seed);
      await story.begin();
      try {
        for (let step = 0; step < STEPS; step++) {
          await story.step();
          await story.compare();
        }
      } catch (error) {
        throw new Error(
          `${story.told.join(', ')}: ${error instanceof Error ? error.message : String(error)}`,
          {
            cause: error,
          },
        );
      }
    });
}, 300_000);
