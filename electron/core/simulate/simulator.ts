import type { Clock, Timer } from '../base/clock.ts';
import { Refusal } from '../base/errors.ts';
import { Pace } from '../turns/pace.ts';
import type { Progress } from '../work/jobs.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Reading } from './readings.ts';
import { DeviceGone, type Way } from './ways/way.ts';

type SimulatorState = 'running' | 'done' | 'failed';

interface SimulatorParts {
  readonly readings: AsyncIterator<Reading, void>;
  readonly way: Way;
  readonly clock: Clock;
  /** Whether a clock that is moved need not wait for its beginning. */
  readonly goesAlone: boolean;
  /** Runs what is due at first, as a job where that is long. */
  readonly begin: (work: (progress: Progress, signal: AbortSignal) => Promise<void>) => Promise<void>;
  /** Called where it has ended by itself: the device is gone, or there is nothing more to send. */
  readonly ended: (why: 'gone' | 'over') => void;
  /** Gets what nobody foresaw. */
  readonly log: (error: unknown) => void;
}

/** Sends readings as they become due, one batch after the other, and counts what became of them. */
export class Simulator {
  readonly #parts: SimulatorParts;
  /** Taken and not due yet. */
  #next: Reading | null = null;
  #isOver = false;
  #isStopped = false;
  #timer: Timer | null = null;
  #passing: Promise<void> = Promise.resolve();
  #counts = { stored: 0, refused: 0 };
  #state: SimulatorState = 'running';
  #problem: string | null = null;

  constructor(parts: SimulatorParts) {
    this.#parts = parts;
  }

  get state(): SimulatorState {
    return this.#state;
  }

  get counts(): { readonly stored: number; readonly refused: number } {
    return this.#counts;
  }

  /** Why it failed, or why something was refused last. */
  get problem(): string | null {
    return this.#problem;
  }

  /** When it sends next; null where nobody knows, and where it does not. */
  get next(): Micros | null {
    const due = this.#state === 'running' ? this.#next?.due : undefined;
    return due === undefined || due === -Infinity ? null : due;
  }

  /** Begins; resolves once the first batch is through, or there is none yet. */
  async start(): Promise<void> {
    const { clock, begin, goesAlone } = this.#parts;
    const first = Promise.withResolvers<void>();
    const ended = begin(async (progress, signal) => {
      const onAbort = () => this.#fail(signal.reason);
      signal.addEventListener('abort', onAbort);
      try {
        await this.#pass(() => {
          progress(this.#counts.stored + this.#counts.refused);
          first.resolve();
        });
        signal.throwIfAborted();
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    });
    this.#passing = ended.catch((error: unknown) => this.#fail(error));
    void this.#passing.then(first.resolve);
    // A clock that is moved waits for what is under way.
    if (!goesAlone) this.#timer ??= clock.after(0, () => this.#passing);
    await first.promise;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#passing;
  }

  /** Resolves when nothing is under way any more. `now`: what is under way is cut off. */
  async stop({ now = false } = {}): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    if (now) this.#parts.way.close();
    await this.#passing;
    this.#parts.way.close();
    await this.#parts.readings.return?.();
  }

  /** Sends all that is due, and waits for the next. */
  async #pass(sent: () => void = () => {}): Promise<void> {
    const { way, clock } = this.#parts;
    const pace = new Pace();
    while (!this.#isStopped) {
      const batch = await this.#takeDue(pace);
      if (batch.length === 0) break;
      const { stored, refused, problem } = await way.send(batch);
      this.#counts = { stored: this.#counts.stored + stored, refused: this.#counts.refused + refused };
      if (problem !== null) this.#problem = problem;
      sent();
      await pace.pause();
    }
    if (this.#isStopped) return;
    if (this.#next === null) {
      this.#end('done', 'over');
      return;
    }
    const ms = Math.max(0, (this.#next.due - clock.now()) / 1000);
    this.#timer?.cancel();
    this.#timer = clock.after(ms, () => {
      this.#passing = this.#pass().catch((error: unknown) => this.#fail(error));
      return this.#passing;
    });
  }

  /** The next ones that are due, at most as many as go at once. */
  async #takeDue(pace: Pace): Promise<Reading[]> {
    const { readings, way, clock } = this.#parts;
    const batch: Reading[] = [];
    const now = clock.now();
    while (batch.length < way.most && !this.#isStopped) {
      if (this.#next === null && !this.#isOver) {
        const pulled = await readings.next();
        if (pulled.done === true) this.#isOver = true;
        else this.#next = pulled.value;
      }
      if (this.#next === null || this.#next.due > now) break;
      // A gap has none.
      if (this.#next.keys.length > 0) batch.push(this.#next);
      this.#next = null;
      await pace.pause();
    }
    return batch;
  }

  #end(state: SimulatorState, why: 'gone' | 'over'): void {
    this.#state = state;
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#parts.way.close();
    this.#parts.ended(why);
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    if (error instanceof DeviceGone) {
      this.#end('failed', 'gone');
      return;
    }
    this.#problem = error instanceof Refusal ? error.message : 'The simulator failed; the log has more.';
    if (!(error instanceof Refusal)) this.#parts.log(error);
    this.#end('failed', 'over');
  }
}
