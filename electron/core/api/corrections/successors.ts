import type { AnyEvent } from '#shared/domain/events.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Logger } from '../../base/logger.ts';
import { machineClock } from '../../base/machine-clock.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import type { Context } from '../context.ts';
import { viewed } from './viewed.ts';

/** Pages over a successor read it anew once in so many ms at most, whatever comes. */
const REST_MS = 1000;

/** By these a device may hold other records, be read through other corrections, or have another successor. */
const TOPICS = [
  'records.stored',
  'records.removed',
  'corrections.changed',
  'devices.changed',
  'projects.changed',
] as const;

/** Device that has another one, up to and with `until`, in its history. */
interface Successor {
  readonly account_id: string;
  readonly project_id: string;
  readonly device_id: string;
  readonly former: string;
  readonly until: Micros;
}

/** Why successors of a device may have to be told. */
interface Due {
  /** Whether what they show is certainly another, and need not be compared. */
  readonly isCertain: boolean;
  /** Number of the latest event that says so. */
  readonly event: number;
}

type Parts = Pick<Context, 'metadata' | 'records' | 'events'> & { readonly log: Logger };

/**
 * Successors of devices whose data changed: whoever shows one hears that its corrected view did, since that begins with records of
 * the device before it. Nothing is asked for a device without a successor; of what is stored to one that has one they hear where it is
 * of the time before it was replaced.
 */
export class Successors {
  readonly #parts: Parts;
  readonly #heard;
  readonly #closing = new AbortController();
  /** By the devices before them; null where they are to be read. */
  #known: ReadonlyMap<string, readonly Successor[]> | null = null;
  /** How often they may have become others. */
  #changes = 0;
  /** Number of the latest event. */
  #event = 0;
  /** Devices that may be otherwise; all of them where `#allDue` is an event. */
  #due = new Map<string, Due>();
  #allDue: number | null = null;
  /** Latest event by which windows heard of a device's corrections: of an earlier one they need not hear again. */
  readonly #fresh = new Map<string, number>();
  /** Records of a device that a successor showed when they were compared last, as JSON. */
  #shown = new Map<string, string>();
  #running: Promise<void> | null = null;
  #isTelling = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#heard = parts.events.subscriber(
      (event) => this.#hear(event),
      // Windows are told that they missed some, too.
      () => this.#forget(),
    );
    for (const topic of TOPICS) this.#heard.subscribe(topic);
  }

  /** Finishes what is under way. */
  async close(): Promise<void> {
    this.#heard.close();
    this.#closing.abort();
    await this.#running;
  }

  #hear({ topic, payload }: AnyEvent): void {
    if (this.#isTelling) return;
    const event = ++this.#event;
    const known = this.#known;
    if (topic !== 'records.stored' && topic !== 'records.removed') this.#forget();
    if (topic === 'projects.changed') {
      if (known?.size === 0) return;
      this.#allDue = event;
    } else {
      const { device_id } = payload as { readonly device_id: string };
      // Without a run nothing earlier is due.
      if (topic === 'corrections.changed' && this.#running) this.#fresh.set(device_id, event);
      if (known?.has(device_id) === false) return;
      const isCertain = topic === 'records.removed' || topic === 'corrections.changed';
      const before = this.#due.get(device_id)?.isCertain === true;
      this.#due.set(device_id, { isCertain: isCertain || before, event });
    }
    this.#running ??= this.#run();
  }

  #forget(): void {
    this.#known = null;
    this.#changes++;
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while ((this.#allDue !== null || this.#due.size > 0) && !signal.aborted) {
      try {
        await this.#tell();
      } catch (error) {
        this.#parts.log.error('Whoever shows the successor of a device could not be told of it', error);
      }
      await machineClock.delay(REST_MS, { signal, ref: false }).catch(() => undefined);
    }
    this.#fresh.clear();
    this.#running = null;
  }

  async #tell(): Promise<void> {
    const [due, allDue] = [this.#due, this.#allDue];
    [this.#due, this.#allDue] = [new Map(), null];
    const known = await this.#read();
    const told = new Set<Successor>();
    for (const former of allDue === null ? due.keys() : known.keys()) {
      const { isCertain = false, event = 0 } = due.get(former) ?? {};
      for (const successor of known.get(former) ?? []) {
        const isOther = (await this.#isOther(successor)) || isCertain;
        const heard = this.#fresh.get(successor.device_id) ?? 0;
        if (isOther && heard <= Math.max(event, allDue ?? 0)) told.add(successor);
      }
    }
    for (const { device_id } of told) for (const behind of known.get(device_id) ?? []) told.add(behind);
    this.#isTelling = true;
    for (const { account_id, project_id, device_id } of told)
      this.#parts.events.publishHere('corrections.changed', { account_id, project_id, device_id });
    this.#isTelling = false;
  }

  async #read(): Promise<ReadonlyMap<string, readonly Successor[]>> {
    if (this.#known) return this.#known;
    const changes = this.#changes;
    const all = await this.#parts.metadata.read(readSuccessors);
    const known = Map.groupBy(all, ({ former }) => former);
    const names = new Set(all.map(nameOf));
    this.#shown = new Map([...this.#shown].filter(([name]) => names.has(name)));
    if (changes === this.#changes) this.#known = known;
    return known;
  }

  /** Whether a successor shows other records of the device before it than when it was asked last, or for the first time. */
  async #isOther(successor: Successor): Promise<boolean> {
    const { metadata, records } = this.#parts;
    const { former, until } = successor;
    const isThere = (await metadata.read((tables) => tables.get('devices', former))) !== null;
    const of = isThere ? await viewed(former, 'corrected', { metadata }) : null;
    const shown = JSON.stringify(of && (await records.within(of, { end: until })));
    const name = nameOf(successor);
    const isOther = this.#shown.get(name) !== shown;
    this.#shown.set(name, shown);
    return isOther;
  }
}

const nameOf = ({ device_id, former, until }: Successor) => `${device_id} ${former} ${until}`;

async function readSuccessors(tables: Tables): Promise<readonly Successor[]> {
  const found: Successor[] = [];
  for (const { project_id, device_id, what } of await tables.list('corrections')) {
    if (what.kind !== 'replaced') continue;
    const project = await tables.get('projects', project_id);
    if (!project) continue;
    const { account_id } = project;
    found.push({ account_id, project_id, device_id, former: what.device_id, until: what.until });
  }
  return found;
}
