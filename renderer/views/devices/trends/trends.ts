import { create } from 'zustand';
import { MOST_TRENDS, type FoundTrend } from '#shared/operations/records/series.ts';
import { ask } from '../../../bridge/ask.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { onConnectionMade } from '../../../bridge/connection.ts';
import type { TrendColumns } from '../../../chart/draw/trend-path.ts';
import { widened, type Scale } from './scale.ts';

/*
 * The last day of a key of the devices of a project: of those in sight their curves, of all of them how high they lie, read for
 * many at a time, those in sight first. What was scrolled away before its turn is not read; what was read is kept for a while.
 */

/** A device that stores all the time is read again only so often. */
const FRESH_MS = 30_000;
/** Reading all of them takes at most one in so many parts of the time. */
const REST_PARTS = 20;
/** Curves of one question. */
const MOST_AT_ONCE = 64;
const MOST_CURVES = 500;
/** Where devices have little in common each shows a key of its own. */
const MOST_SUBJECTS = 32;

/** The day of a device that has numbers. */
export interface Level extends Scale {
  readonly level: number;
  /** Levels of the hours of the day, null where one is not whole; null where nothing is known of hours. */
  readonly hours: readonly (number | null)[] | null;
}

/** What is known of a key of a project's devices. */
export interface Levels {
  /** Of every device that has numbers, once all were read. */
  readonly all: ReadonlyMap<string, Level> | null;
  /** What everything lies in that was read so far. */
  readonly seen: Scale | null;
  /** Devices that are still to be read. */
  readonly left: number;
}

interface TrendsStore {
  /** By `curveName`; null: nothing to be seen. */
  readonly curves: ReadonlyMap<string, TrendColumns | null>;
  /** By `subjectName`. */
  readonly levels: ReadonlyMap<string, Levels>;
  /** How often what was known of a device was dropped, by its id: records of it went, or its corrections are others. */
  readonly dropped: ReadonlyMap<string, number>;
}

export const useTrends = create<TrendsStore>(() => ({
  curves: new Map(),
  levels: new Map(),
  dropped: new Map(),
}));

/** Key of a project's devices. */
export interface Subject {
  readonly project_id: string;
  readonly key: string;
}

/** A device, its number of records and the newest: where either is another one, there is something to be read. */
interface Wanted {
  readonly id: string;
  readonly records: number;
  readonly newest: string | null;
  /** How often what was known of it was dropped, and connections were made: after either it is wanted again. */
  readonly dropped?: number;
}

export const subjectName = ({ project_id, key }: Subject) => `${project_id}/${key}`;
export const curveName = (device_id: string, key: string) => `${device_id}/${key}`;

/** Returns what tells the records of a device from those of before: a late one is not the newest. */
const storedBy = ({ records, newest }: Wanted) => `${records} ${newest ?? ''}`;

/** A read, and what was stored then. */
interface Read {
  readonly stored: string;
  readonly readAt: number;
}
interface Known extends Read {
  readonly level: Level | null;
}

/** Milliseconds until something is to be read (again); null: not before the device stores. */
function dueIn(read: Read | undefined, stored: string, restMs: number): number | null {
  if (!read) return 0;
  return read.stored === stored ? null : Math.max(0, restMs - (performance.now() - read.readAt));
}

class Reading {
  readonly #subject: Subject;
  readonly #known = new Map<string, Known>();
  readonly #curves = new Map<string, Read>();
  /** In the order in which they came into sight, with what is stored. */
  readonly #inSight = new Map<string, string>();
  readonly #others = new Map<string, string>();
  /** Devices of the read under way, with what was stored; without those that were dropped meanwhile, of which its answer is out of date. */
  #underWay = new Map<string, string>();
  #isReading = false;
  #isSweep = false;
  #restMs = FRESH_MS;
  /** Ends it. */
  readonly stop: () => void;

  constructor(subject: Subject) {
    this.#subject = subject;
    const { project_id } = subject;
    const drop = ({ device_id }: { readonly device_id: string }) => this.#drop(device_id);
    const stops = [
      bridge.subscribe('records.removed', drop, { project_id }),
      bridge.subscribe('corrections.changed', drop, { project_id }),
      onConnectionMade(() => {
        this.#known.clear();
        this.#curves.clear();
      }),
    ];
    this.stop = () => stops.forEach((stop) => stop());
  }

  #drop(id: string): void {
    this.#known.delete(id);
    this.#curves.delete(id);
    this.#underWay.delete(id);
    const { dropped } = useTrends.getState();
    useTrends.setState({ dropped: new Map(dropped).set(id, (dropped.get(id) ?? 0) + 1) });
  }

  wantCurve(of: Wanted): () => void {
    // Of many that were seen the first are not kept.
    const isKept = useTrends.getState().curves.has(curveName(of.id, this.#subject.key));
    const stored = storedBy(of);
    const due = dueIn(isKept ? this.#curves.get(of.id) : undefined, stored, FRESH_MS);
    if (due === null) return () => {};
    const timer = setTimeout(() => {
      this.#inSight.set(of.id, stored);
      void this.#read();
    }, due);
    return () => {
      clearTimeout(timer);
      this.#inSight.delete(of.id);
    };
  }

  wantAll(devices: readonly Wanted[]): void {
    if (this.#isSweep) return;
    const there = new Set(devices.map(({ id }) => id));
    for (const id of this.#known.keys()) if (!there.has(id)) this.#known.delete(id);
    for (const device of devices) {
      const stored = storedBy(device);
      if (dueIn(this.#known.get(device.id), stored, this.#restMs) === 0) this.#others.set(device.id, stored);
    }
    if (this.#others.size === 0 && this.#isTold()) return;
    this.#isSweep = true;
    void this.#read();
  }

  #levels(): ReadonlyMap<string, Level> {
    return new Map([...this.#known].flatMap(([id, { level }]) => (level ? [[id, level] as const] : [])));
  }

  /** Whether all that is known was told: a level that is read with its curve is so before its turn. */
  #isTold(): boolean {
    const told = useTrends.getState().levels.get(subjectName(this.#subject))?.all;
    const levels = this.#levels();
    return told?.size === levels.size && [...levels].every(([id, level]) => told.get(id) === level);
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    // What comes into sight together is read together.
    await Promise.resolve();
    const began = performance.now();
    let seen = useTrends.getState().levels.get(subjectName(this.#subject))?.seen ?? null;
    let isRead = true;
    while (isRead && this.#inSight.size + this.#others.size > 0) {
      const some = this.#next();
      this.#underWay = some.devices;
      const found = await this.#ask(some);
      isRead = found !== null;
      seen = this.#keep(found ?? [], some, seen);
      this.#publish({ seen, left: this.#others.size });
    }
    if (this.#isSweep && isRead) {
      this.#restMs = Math.max(FRESH_MS, REST_PARTS * (performance.now() - began));
      this.#publish({ all: this.#levels(), left: 0 });
    }
    // They are wanted again before long.
    this.#others.clear();
    this.#isSweep = false;
    this.#isReading = false;
  }

  #next(): Next {
    const withCurves = this.#inSight.size > 0;
    const from = withCurves ? this.#inSight : this.#others;
    const devices = new Map([...from].slice(0, withCurves ? MOST_AT_ONCE : MOST_TRENDS));
    for (const id of devices.keys()) {
      this.#inSight.delete(id);
      this.#others.delete(id);
    }
    return { devices, withCurves };
  }

  /** Null where they cannot be read: what is wrong is said where the list itself is read. */
  async #ask({ devices, withCurves }: Next): Promise<readonly FoundTrend[] | null> {
    const ids = [...devices.keys()].join(',');
    try {
      const curves = withCurves ? 'true' : 'false';
      return await ask('series.trends', { ...this.#subject, ids, curves, view: 'corrected' });
    } catch {
      return null;
    }
  }

  /** Keeps what was found; returns what all of it lies in. */
  #keep(found: readonly FoundTrend[], { devices, withCurves }: Next, seen: Scale | null): Scale | null {
    const curves = new Map(withCurves ? useTrends.getState().curves : []);
    const readAt = performance.now();
    let all = seen;
    for (const { device_id, min, max, level, hours, columns } of found) {
      const has =
        min === null || max === null || level === null ? null : { least: min, most: max, level, hours };
      const read = { stored: devices.get(device_id) ?? '', readAt };
      this.#known.set(device_id, { ...read, level: has });
      if (has) all = widened(all, has);
      if (!withCurves) continue;
      this.#curves.set(device_id, read);
      const name = curveName(device_id, this.#subject.key);
      curves.delete(name);
      curves.set(name, has && columns);
    }
    for (const oldest of curves.keys()) if (curves.size > MOST_CURVES) curves.delete(oldest);
    if (withCurves) useTrends.setState({ curves });
    return all;
  }

  #publish(change: Partial<Levels>): void {
    const { levels } = useTrends.getState();
    const name = subjectName(this.#subject);
    const before = levels.get(name) ?? NOTHING;
    const names = Object.keys(change) as (keyof Levels)[];
    // What is the same draws nothing anew.
    if (names.every((part) => before[part] === change[part])) return;
    useTrends.setState({ levels: new Map(levels).set(name, { ...before, ...change }) });
  }
}

interface Next {
  readonly devices: Map<string, string>;
  readonly withCurves: boolean;
}

const NOTHING: Levels = { all: null, seen: null, left: 0 };

/** Those that were asked for lately, the last one at the end. */
const readings = new Map<string, Reading>();

function readingOf(subject: Subject): Reading {
  const name = subjectName(subject);
  const reading = readings.get(name) ?? new Reading(subject);
  readings.delete(name);
  readings.set(name, reading);
  for (const [oldest] of readings) if (readings.size > MOST_SUBJECTS) forget(oldest);
  return reading;
}

function forget(name: string): void {
  readings.get(name)?.stop();
  readings.delete(name);
  const levels = new Map(useTrends.getState().levels);
  levels.delete(name);
  useTrends.setState({ levels });
}

/** Asks for the curve of a device that came into sight; returns what gives that up. */
export const wantCurve = (subject: Subject, device: Wanted): (() => void) =>
  readingOf(subject).wantCurve(device);

/** Asks for the levels of all devices, as far as they are not known. */
export const wantLevels = (subject: Subject, devices: readonly Wanted[]): void =>
  readingOf(subject).wantAll(devices);
