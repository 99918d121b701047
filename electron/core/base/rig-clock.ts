import { setImmediate } from 'node:timers/promises';
import type { ClockMode } from '#shared/operations/service/clock.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import type { Clock, Timer } from './clock.ts';
import { machineClock, MOST_TIMER_MS } from './machine-clock.ts';

/** What a clock is set to; without `now` it goes on from where it is. */
export type ClockSetting =
  | { readonly mode: 'system' }
  | { readonly mode: 'frozen'; readonly now?: Micros | undefined }
  | { readonly mode: 'scaled'; readonly now?: Micros | undefined; readonly rate: number };

export interface ClockState {
  readonly mode: ClockMode;
  readonly now: Micros;
  /** How fast it goes: 1 as the machine's, 0 not at all. */
  readonly rate: number;
}

/** The clock of a rig (docs/rigs.md): service time that is set, held and moved by whoever tests. */
export interface RigClock extends Clock {
  readonly state: ClockState;
  /** Whether it was ever set to an earlier time than it had. */
  readonly wasSetBack: boolean;
  /** Resolves once the timers that are due by then have run. */
  set(setting: ClockSetting): Promise<void>;
  /**
   * Moves it on by so many ms: runs the timers that are due on the way, each at its own time and one after the other, and gives way to
   * others between slices of time. Resolves with how many there were. Rejects as the signal's reason; it stays at the time of the
   * last timer that ran then, and the others are due still.
   */
  advance(ms: number, signal?: AbortSignal): Promise<number>;
}

interface Due {
  readonly at: Micros;
  readonly run: () => void | Promise<void>;
}

/** Returns what is to be known of it, for people to read. */
export function rigNotes({ state: { mode, now, rate }, wasSetBack }: RigClock): string[] {
  const at = formatMicros(now);
  const said =
    mode === 'frozen'
      ? [
          `The clock of this service stands at ${at} (--clock): nothing expires, and nothing is late, until it is moved.`,
        ]
      : mode === 'scaled'
        ? [`The clock of this service says ${at} and goes ${rate} times as fast as the machine's (--clock).`]
        : [];
  const back = 'The clock of this service was set to an earlier time: what came before may lie ahead of it.';
  return wasSetBack ? [...said, back] : said;
}

/** ms of the machine for which timers run without others having their turn; one alone may take longer. */
const TURN_MS = 5;

/** Begins with a setting; `system` is the machine's clock. */
export function createRigClock(setting: ClockSetting, system: Pick<Clock, 'now'>): RigClock {
  let mode: ClockMode = 'system';
  let rate = 1;
  /** The time of this clock at a moment of the machine's; while it is the system's neither counts. */
  let base: Micros = system.now();
  let since = machineClock.monotonicMs();
  let wasSetBack = false;
  /** By the time at which they are due; of one time in the order in which they were asked for. */
  const timers: Due[] = [];
  let wake: NodeJS.Timeout | undefined;
  /** Moves of the clock, one after the other. */
  let moving: Promise<unknown> = Promise.resolve();

  const now = (): Micros =>
    mode === 'system' ? system.now() : base + Math.floor((machineClock.monotonicMs() - since) * rate * 1000);

  function goOn(from: Micros): void {
    base = from;
    since = machineClock.monotonicMs();
  }

  function add(timer: Due): void {
    let [low, high] = [0, timers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (timers[middle]!.at <= timer.at) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, timer);
  }

  /** The next timer, where it is due by then; it is taken out. */
  function takeDue(until: Micros): Due | null {
    const [first] = timers;
    if (first === undefined || first.at > until) return null;
    timers.shift();
    return first;
  }

  /** While it goes, the machine wakes it for the next timer. */
  function arm(): void {
    clearTimeout(wake);
    const [first] = timers;
    if (first === undefined || rate === 0) return;
    const ms = Math.ceil(Math.max(0, first.at - now()) / 1000 / rate);
    wake = machineClock.after(Math.min(ms, MOST_TIMER_MS), () => void runDue()).unref();
  }

  /** Runs what is due by then; `before` is told when each was. Resolves with how many there were, rejects as the signal's reason. */
  async function runUntil(
    until: Micros,
    { before, signal }: { readonly before?: (at: Micros) => void; readonly signal?: AbortSignal | undefined },
  ): Promise<number> {
    let ran = 0;
    let turnEnds = machineClock.monotonicIn(TURN_MS);
    for (let due = takeDue(until); due !== null; due = takeDue(until)) {
      before?.(due.at);
      await due.run();
      ran++;
      if (machineClock.monotonicMs() >= turnEnds) {
        await setImmediate();
        turnEnds = machineClock.monotonicIn(TURN_MS);
      }
      signal?.throwIfAborted();
    }
    return ran;
  }

  async function runDue(): Promise<void> {
    await runUntil(now(), {});
    arm();
  }

  function apply(next: ClockSetting): void {
    const before = now();
    const to = next.mode === 'system' ? system.now() : (next.now ?? before);
    if (to < before) wasSetBack = true;
    mode = next.mode;
    rate = next.mode === 'frozen' ? 0 : next.mode === 'scaled' ? next.rate : 1;
    goOn(to);
  }

  async function move(ms: number, signal: AbortSignal | undefined): Promise<number> {
    signal?.throwIfAborted();
    const rateNow = rate;
    const from = now();
    const until = from + ms * 1000;
    // Held on the way, so that each timer finds its own time.
    rate = 0;
    goOn(from);
    try {
      const before = (at: Micros) => goOn(Math.max(at, base));
      const ran = await runUntil(until, { before, signal });
      goOn(until);
      return ran;
    } finally {
      rate = rateNow;
      goOn(base);
      arm();
    }
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = moving.then(work, work);
    moving = done.catch(() => {});
    return done;
  }

  apply(setting);
  wasSetBack = false;
  return {
    now,
    get state() {
      return { mode, now: now(), rate };
    },
    get wasSetBack() {
      return wasSetBack;
    },
    after(ms, work): Timer {
      const timer: Due = { at: now() + Math.round(ms * 1000), run: work };
      add(timer);
      arm();
      return {
        cancel() {
          const place = timers.indexOf(timer);
          if (place >= 0) timers.splice(place, 1);
        },
      };
    },
    set: (next) =>
      inTurn(async () => {
        apply(next);
        await runDue();
      }),
    advance: (ms, signal) => inTurn(() => move(ms, signal)),
  };
}
