import type { Rule } from '#shared/domain/rules.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Timer } from '../../base/clock.ts';
import type { Judgement } from '../../rules/firing.ts';
import type { StoredFunction, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Viewed } from '../../store/store.ts';
import { Serial } from '../../turns/serial.ts';
import type { NormalRanges } from '../devices/normal-ranges.ts';
import type { KnownFiring } from './compare-firings.ts';

/** A rule that is switched on. */
export interface LiveRule {
  readonly row: StoredFunction;
  readonly rule: Rule;
  /** Version of it. */
  readonly since: Micros;
  readonly project: StoredProject;
}

/** A rule and a device that it watches. */
export interface Watching {
  readonly live: LiveRule;
  readonly device_id: string;
}

/** Judges one rule on one device, and remembers how far it has read. */
export interface Watch {
  look(device: Viewed, now: Micros): Promise<Judgement>;
}

/** Parts of a watch; its firings are those that ended later than `since`. */
export interface WatchOf {
  readonly rule: Rule;
  readonly ranges: NormalRanges;
  readonly since: Micros;
}

export type MakeWatch = (of: WatchOf) => Watch;

/** A rule and a device, with what is known of them while this service judges. */
export class Pair {
  readonly live: LiveRule;
  readonly device_id: string;
  /** One judgement after the other. */
  readonly serial = new Serial();
  /** Its alarms as last read or written; null where they are to be read. */
  rows: readonly KnownFiring[] | null = null;
  #timer: Timer | null = null;
  /** Null until it is judged first. */
  #watch: { readonly watch: Watch; readonly ranges: string } | null = null;

  constructor({ live, device_id }: Watching) {
    this.live = live;
    this.device_id = device_id;
  }

  /** Returns its watch; a new one where its normal ranges are others. */
  watchOf(ranges: NormalRanges, make: MakeWatch): Watch {
    const text = JSON.stringify([...ranges].map(([key, { low, high }]) => [key, low, high]));
    if (this.#watch?.ranges !== text) {
      const { rule, since } = this.live;
      this.#watch = { watch: make({ rule, ranges, since }), ranges: text };
    }
    return this.#watch.watch;
  }

  /** Waits for a timer in place of the one before; null: for none. */
  wait(timer: Timer | null): void {
    this.#timer?.cancel();
    this.#timer = timer;
  }

  /** Forgets all that it can find out again. */
  forget(): void {
    this.wait(null);
    this.rows = null;
    this.#watch = null;
  }
}

const keyOf = ({ live, device_id }: Watching) => `${live.row.id} ${live.since} ${device_id}`;

/** All pairs of rules and devices, found by project and by the devices whose records they read. */
export class Pairs {
  readonly #projects = new Map<string, ReadonlyMap<string, Pair>>();
  readonly #readers = new Map<string, Set<Pair>>();
  readonly #sources = new Map<Pair, readonly string[]>();
  readonly #gone: (pair: Pair) => void;

  /** `gone` is called with each pair that is not watched any more. */
  constructor(gone: (pair: Pair) => void = () => {}) {
    this.#gone = gone;
  }

  get size(): number {
    return this.#sources.size;
  }

  *all(): Generator<Pair> {
    for (const pairs of this.#projects.values()) yield* pairs.values();
  }

  projects(): Iterable<string> {
    return this.#projects.keys();
  }

  ofProject(project_id: string): Iterable<Pair> {
    return this.#projects.get(project_id)?.values() ?? [];
  }

  /** Pairs that read records of a device. */
  readersOf(device_id: string): Iterable<Pair> {
    return this.#readers.get(device_id) ?? [];
  }

  has(pair: Pair): boolean {
    return this.#sources.has(pair);
  }

  /** Takes the pairs of a project in place of those that it had; one that stays the same stays. Returns those that are new. */
  replace(project_id: string, watching: readonly Watching[]): readonly Pair[] {
    const before = this.#projects.get(project_id) ?? new Map<string, Pair>();
    const now = new Map<string, Pair>();
    const added: Pair[] = [];
    for (const each of watching) {
      const key = keyOf(each);
      const known = before.get(key);
      const pair = known ?? new Pair(each);
      now.set(key, pair);
      if (known !== undefined) continue;
      added.push(pair);
      this.reads(pair, [each.device_id]);
    }
    for (const [key, pair] of before) {
      if (now.has(key)) continue;
      pair.forget();
      this.#leave(pair);
      this.#sources.delete(pair);
      this.#gone(pair);
    }
    if (now.size === 0) this.#projects.delete(project_id);
    else this.#projects.set(project_id, now);
    return added;
  }

  /** A pair reads records of these devices: those before its own, too, where that replaced them. */
  reads(pair: Pair, devices: readonly string[]): void {
    const known = this.#sources.get(pair);
    if (known?.length === devices.length && known.every((device, i) => device === devices[i])) return;
    this.#leave(pair);
    this.#sources.set(pair, devices);
    for (const device of devices) {
      const readers = this.#readers.get(device) ?? new Set();
      this.#readers.set(device, readers.add(pair));
    }
  }

  #leave(pair: Pair): void {
    for (const device of this.#sources.get(pair) ?? []) {
      const readers = this.#readers.get(device);
      if (readers?.delete(pair) === true && readers.size === 0) this.#readers.delete(device);
    }
  }
}
