import { MOST_SIMULATORS, type Simulator as View } from '#shared/operations/service/simulators.ts';
import { formatMicros } from '#shared/values/time.ts';
import { countOf } from '#shared/values/counts.ts';
import type { Chances } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import { badRequest, Refusal } from '../base/errors.ts';
import type { EventBus } from '../base/event-bus.ts';
import type { Logger } from '../base/logger.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Metadata } from '../store/metadata/metadata.ts';
import type { Sender } from '../store/metadata/sender.ts';
import type { Vault } from '../vault/vault.ts';
import type { Jobs } from '../work/jobs.ts';
import { planOf, type Asked } from './plan.ts';
import type { Recording } from './recordings.ts';
import { Simulator } from './simulator.ts';
import type { DoorPlaces } from '../remote/device-door/door.ts';
import { doorWay } from './ways/door-way.ts';
import { storeWay } from './ways/store-way.ts';
import type { Way } from './ways/way.ts';

/** A start that has more to send at once is a job. */
const WORTH_A_JOB = 5000;

export interface SimulatorsParts {
  readonly places: () => DoorPlaces;
  readonly ingest: Ingest;
  readonly metadata: Metadata;
  readonly vault: Pick<Vault, 'get'>;
  readonly clock: Clock;
  readonly chance: Chances;
  readonly events: EventBus;
  readonly jobs: Jobs;
  readonly log: Logger;
}

/** The device of a simulator. */
interface SimulatedDevice {
  readonly account_id: string;
  readonly project_id: string;
  readonly device_id: string;
  readonly name: string;
}

interface Entry {
  readonly account_id: string;
  readonly device_id: string;
  project_id: string;
  readonly simulator: Simulator;
  /** What was asked for, as it is shown. */
  readonly asked: Omit<View, 'project_id' | 'stored' | 'refused' | 'state' | 'next' | 'problem'>;
}

/** A simulator and whose it is. */
interface Owned {
  readonly account_id: string;
  readonly project_id: string;
  readonly view: View;
}

/** The simulators of a service, in memory: they end with it. */
export class Simulators {
  readonly #parts: SimulatorsParts;
  readonly #entries = new Map<string, Entry>();
  #isClosed = false;

  constructor(parts: SimulatorsParts) {
    this.#parts = parts;
    this.#follow();
  }

  /**
   * `recording`: of a replay. Resolves once the first of what is due at once is through. Rejects with a 400 Refusal that names the
   * field.
   */
  async create(device: SimulatedDevice, input: Asked, recording: Recording | null = null): Promise<View> {
    const { clock, chance, log } = this.#parts;
    const now = clock.now();
    const seed = input.seed ?? this.drawSeed(device.account_id);
    const { start, readings, atOnce } = planOf(input, seed, recording, now);
    this.#makeRoom(device.account_id);
    const id = chance.of(ownName(device.account_id)).uuid();
    const { through, speed = null, trouble, jitter_ms } = input;
    const entry: Entry = {
      ...device,
      simulator: new Simulator({
        readings,
        clock,
        way: this.#wayOf(id, through, speed === 'max'),
        goesAlone: speed === 'max',
        begin: this.#beginner(device, atOnce),
        ended: (why) => this.#ended(id, why),
        log: (error) => log.error('A simulator failed', error),
      }),
      asked: {
        id,
        device_id: device.device_id,
        every_ms: input.every_ms ?? null,
        keys: input.keys ?? null,
        replay: input.replay ?? null,
        times: input.replay === undefined ? null : (input.times ?? 'kept'),
        jitter_ms,
        count: input.count ?? null,
        start: formatMicros(start),
        speed,
        through,
        seed,
        trouble,
        created_at: formatMicros(now),
      },
    };
    this.#entries.set(id, entry);
    await entry.simulator.start();
    this.#tell(entry);
    return viewOf(entry);
  }

  /** Draws a seed by the chance of an account. */
  drawSeed(account_id: string): number {
    return Math.floor(this.#parts.chance.of(ownName(account_id)).number() * 2 ** 32);
  }

  /** Resolves when all that was due when it was started is through; at once where there is none. */
  async caughtUp(id: string): Promise<void> {
    await this.#entries.get(id)?.simulator.idle();
  }

  /** Those of an account, in the order in which they were started; of devices that are gone none. */
  async list(account_id: string): Promise<readonly Owned[]> {
    await this.#check([...this.#entries.values()].filter((entry) => entry.account_id === account_id));
    return [...this.#entries.values()]
      .filter((entry) => entry.account_id === account_id)
      .map((entry) => ({ account_id, project_id: entry.project_id, view: viewOf(entry) }));
  }

  async find(id: string): Promise<Owned | null> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return null;
    await this.#check([entry]);
    const { account_id, project_id } = entry;
    return this.#entries.has(id) ? { account_id, project_id, view: viewOf(entry) } : null;
  }

  /** Stops one; resolves with what it was, behind its last record, or with null where there is none. */
  async remove(id: string): Promise<View | null> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return null;
    this.#entries.delete(id);
    await entry.simulator.stop();
    this.#tell(entry);
    return viewOf(entry);
  }

  /** Ends all of an account; resolves when none stores anything more. */
  async endAccount(account_id: string): Promise<void> {
    const ids = [...this.#entries].filter(([, entry]) => entry.account_id === account_id).map(([id]) => id);
    await Promise.all(ids.map((id) => this.remove(id)));
  }

  /** Cuts off what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries.values()].map(({ simulator }) => simulator.stop({ now: true })));
  }

  /** Of those that have ended the first one makes room. Throws a Refusal where all run. */
  #makeRoom(account_id: string): void {
    if (this.#isClosed) throw new Refusal(500, 'The service is stopping.');
    const own = [...this.#entries].filter(([, entry]) => entry.account_id === account_id);
    if (own.length < MOST_SIMULATORS) return;
    const over = own.find(([, { simulator }]) => simulator.state !== 'running');
    if (over === undefined)
      throw badRequest(
        `device_id must wait: ${countOf(own.length, 'simulator')} of this account run, which are as many as may; stop one`,
      );
    this.#entries.delete(over[0]);
  }

  #wayOf(id: string, through: Asked['through'], isMax: boolean): Way {
    const { ingest, clock } = this.#parts;
    const sender = () => this.#senderOf(id);
    if (through === 'store') return storeWay({ ingest, clock, sender });
    return doorWay(through, isMax, { ...this.#parts, sender });
  }

  /** The device as it is now; null where it is gone. */
  async #senderOf(id: string): Promise<Sender | null> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return null;
    return this.#parts.metadata.read(async (tables) => {
      const device = await tables.get('devices', entry.device_id);
      const project = device && (await tables.get('projects', device.project_id));
      if (!device || project?.account_id !== entry.account_id) return null;
      entry.project_id = device.project_id;
      return { account_id: entry.account_id, device };
    });
  }

  #beginner({ account_id, project_id, device_id, name }: SimulatedDevice, dueAtOnce: number) {
    const { jobs } = this.#parts;
    const job = { kind: 'simulation', account_id, project_id, device_id, name, unit: 'records' } as const;
    return (work: (progress: (done: number) => void, signal: AbortSignal) => Promise<void>): Promise<void> =>
      dueAtOnce < WORTH_A_JOB
        ? work(() => {}, new AbortController().signal)
        : jobs.run({ ...job, total: dueAtOnce, stop: new AbortController() }, work);
  }

  #ended(id: string, why: 'gone' | 'over'): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    if (why === 'gone') this.#entries.delete(id);
    this.#tell(entry);
  }

  #tell({ account_id, project_id, device_id }: Entry): void {
    this.#parts.events.publish('simulators.changed', { account_id, project_id, device_id });
  }

  /** Ends those whose device is gone. */
  async #check(entries: readonly Entry[]): Promise<void> {
    for (const { asked } of entries)
      if ((await this.#senderOf(asked.id)) === null) await this.remove(asked.id);
  }

  #follow(): void {
    const { events, log } = this.#parts;
    const check = (entries: readonly Entry[]) =>
      void this.#check(entries).catch((error: unknown) =>
        log.error('A simulator could not be looked up', error),
      );
    const all = () => [...this.#entries.values()];
    const heard = events.subscriber(
      ({ topic, payload }) => {
        if (topic === 'devices.changed') check(all().filter((each) => each.device_id === payload.device_id));
        if (topic === 'projects.changed')
          check(all().filter((each) => each.project_id === payload.project_id));
      },
      () => check(all()),
    );
    for (const topic of ['devices.changed', 'projects.changed'] as const) heard.subscribe(topic);
  }
}

/** By what ids and seeds of an account's simulators are drawn. */
const ownName = (account_id: string) => `${account_id} simulators`;

function viewOf({ simulator, asked, project_id }: Entry): View {
  const { state, counts, next, problem } = simulator;
  return { ...asked, project_id, ...counts, state, next: next === null ? null : formatMicros(next), problem };
}
