import { machineClock } from '../../base/machine-clock.ts';
import { failure, type Outcome } from './outcome.ts';
import { KILLED, LATE, Patience } from './patience.ts';

/** Calls that a process is given at once, and characters of them. */
const MOST_CALLS = 512;
const MOST_CHARACTERS = 1024 * 1024;
/** Calls of a group that wait; who calls then is told so. */
const MOST_WAITING = 100_000;
/** Scripts that are known to have answered. */
const MOST_GOOD = 1000;
/** Blame of a group for a script of it, of which it may have any number. */
const ITS_SHARE = 0.25;

const GROUP = 'group';
const START = 'start';

/** Calls since the service started, by what became of them. */
export interface Counts {
  readonly calls: number;
  readonly failed: number;
  /** Calls that were not made. */
  readonly waiting: number;
  /** Processes that were killed since a call did not end, that ended by themselves, and that were started. */
  readonly killed: number;
  readonly crashed: number;
  readonly started: number;
}

/** A script and the name of its function. */
export interface Program {
  /** Hash of the script. */
  readonly hash: string;
  readonly key: string;
  readonly script: string;
  readonly name: string;
}

export interface Call {
  readonly input: string;
  readonly settle: (outcome: Outcome) => void;
}

interface Job {
  readonly program: Program;
  readonly calls: Call[];
  /** Index of the first call that waits yet. */
  next: number;
  /** Calls whose outcomes are to be told one by one: at one of them a process ended. */
  suspects: number;
}

/** Calls that are under way together. */
export interface Turn {
  readonly program: Program;
  readonly calls: readonly Call[];
  readonly isEach: boolean;
  /** Calls that have their outcome. */
  told: number;
}

/** Calls of one group that wait, and whose they are. Scripts take turns. */
export class Group {
  readonly #jobs = new Map<string, Job>();
  readonly #patience: Patience;
  readonly #good = new Set<string>();
  #waiting = 0;
  readonly #counts = { calls: 0, failed: 0, waiting: 0, killed: 0, crashed: 0, started: 0 };

  constructor(firstWaitMs?: number) {
    this.#patience = new Patience(firstWaitMs);
  }

  get counts(): Counts {
    return { ...this.#counts };
  }

  get hasCalls(): boolean {
    return this.#waiting > 0;
  }

  started(): void {
    this.#counts.started++;
  }

  /** Returns why a script is not called now; null where it is. */
  refusal({ hash }: Program): Outcome | null {
    const now = machineClock.monotonicMs();
    if (this.#patience.waitMs(START, now) > 0)
      return failure('waiting', 'No process for functions can be started: the log says why.');
    const own = this.#patience.waitMs(hash, now);
    const groups = this.#good.has(hash) ? 0 : this.#patience.waitMs(GROUP, now);
    if (own > 0 || groups > 0) {
      const whose = own >= groups ? 'This script has' : 'Scripts beside this one have';
      const seconds = Math.ceil(Math.max(own, groups) / 1000);
      return failure(
        'waiting',
        `${whose} kept a process busy without end: it is called again in ${seconds} s.`,
      );
    }
    return this.#waiting < MOST_WAITING
      ? null
      : failure('waiting', `${this.#waiting} calls wait already: call again when some of them are done.`);
  }

  add(program: Program, calls: readonly Call[]): void {
    const job = this.#jobs.get(program.key) ?? { program, calls: [], next: 0, suspects: 0 };
    this.#jobs.set(program.key, job);
    for (const call of calls) job.calls.push(call);
    this.#waiting += calls.length;
  }

  /** Takes calls of the script whose turn it is; null where none waits. */
  take(): Turn | null {
    const [job] = this.#jobs.values();
    if (job === undefined) return null;
    const { program } = job;
    const isEach = job.suspects > 0;
    const most = Math.min(job.calls.length, job.next + (isEach ? job.suspects : MOST_CALLS));
    let end = job.next;
    let characters = 0;
    while (end < most && (end === job.next || characters + job.calls[end]!.input.length <= MOST_CHARACTERS))
      characters += job.calls[end++]!.input.length;
    const calls = job.calls.slice(job.next, end);
    job.next = end;
    job.suspects = Math.max(0, job.suspects - calls.length);
    this.#waiting -= calls.length;
    this.#jobs.delete(program.key);
    // The last in the row.
    if (end < job.calls.length) this.#jobs.set(program.key, job);
    return { program, calls, isEach, told: 0 };
  }

  /** Tells the next calls of a turn what became of them. */
  tell(turn: Turn, outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      if (outcome.ok) this.#answered(turn.program.hash);
      else if (outcome.kind === 'late') this.#blame(turn.program, LATE);
      this.settle(turn.calls[turn.told++]!, outcome);
    }
  }

  settle(call: Call, outcome: Outcome): void {
    this.#counts.calls++;
    if (!outcome.ok) this.#counts[outcome.kind === 'waiting' ? 'waiting' : 'failed']++;
    call.settle(outcome);
  }

  /** A call did not end, and its process was killed: the others of its turn are made by the next one. */
  hung(turn: Turn, index: number): void {
    this.#counts.killed++;
    this.#endedAt(turn, index, failure('late', 'It did not end, and its process was killed.'));
  }

  /** A process ended by itself. Which call did it is only known where each outcome was told by itself. */
  crashed(turn: Turn): void {
    this.#counts.crashed++;
    if (turn.isEach || turn.calls.length - turn.told === 1)
      this.#endedAt(turn, turn.told, failure('crashed', 'Its process ended: the log says why.'));
    else this.#putBack(turn, turn.calls.slice(turn.told), turn.calls.length - turn.told);
  }

  /** A process could not be started, for calls that wait and those that it would have made. */
  notStarted(turn: Turn | null): void {
    this.#patience.blame(START, KILLED, machineClock.monotonicMs());
    this.stop(turn, failure('crashed', 'The process for functions could not be started: the log says why.'));
  }

  /** Gives all calls that have none yet the same outcome. */
  stop(turn: Turn | null, outcome: Outcome): void {
    const jobs = [...this.#jobs.values()];
    this.#jobs.clear();
    this.#waiting = 0;
    const calls = [...(turn?.calls.slice(turn.told) ?? []), ...jobs.flatMap(waitingIn)];
    for (const call of calls) this.settle(call, outcome);
  }

  #endedAt(turn: Turn, index: number, outcome: Outcome): void {
    this.#putBack(turn, turn.calls.slice(index + 1), 0);
    this.#blame(turn.program, KILLED);
    // Those before it came to an end, and will again.
    this.#putBack(turn, turn.calls.slice(turn.told, index), 0);
    this.settle(turn.calls[index]!, outcome);
  }

  #putBack({ program }: Turn, calls: readonly Call[], suspects: number): void {
    if (calls.length === 0) return;
    const job = this.#jobs.get(program.key);
    this.#jobs.delete(program.key);
    const behind = job === undefined ? [] : waitingIn(job);
    this.#jobs.set(program.key, { program, calls: [...calls, ...behind], next: 0, suspects });
    this.#waiting += calls.length;
  }

  /** Calls of a script that has to wait are told so, so that nothing waits for it. */
  #blame(program: Program, amount: number): void {
    const now = machineClock.monotonicMs();
    this.#patience.blame(program.hash, amount, now);
    this.#patience.blame(GROUP, amount * ITS_SHARE, now);
    for (const [key, job] of this.#jobs) {
      const refusal = this.refusal(job.program);
      if (refusal === null || job.program.hash !== program.hash) continue;
      const calls = waitingIn(job);
      this.#jobs.delete(key);
      this.#waiting -= calls.length;
      for (const call of calls) this.settle(call, refusal);
    }
  }

  #answered(hash: string): void {
    if (this.#good.has(hash)) return;
    this.#good.add(hash);
    const [oldest] = this.#good;
    if (this.#good.size > MOST_GOOD && oldest !== undefined) this.#good.delete(oldest);
  }
}

const waitingIn = ({ calls, next }: Job): readonly Call[] => calls.slice(next);
