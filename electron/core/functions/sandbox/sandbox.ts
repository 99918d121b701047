import { createHash } from 'node:crypto';
import { machineClock, type MonotonicMs } from '../../base/machine-clock.ts';
import { Group, type Call, type Counts, type Program, type Turn } from './group.ts';
import { IsolateProcess } from './isolate-process.ts';
import { failure, inputRefusal, refusalOf, type Outcome } from './outcome.ts';
import type { StartIsolate } from './port.ts';

/** ms for which a process may have nothing to do. */
const IDLE_MS = 60_000;
/** ms after which a process makes room for a group that waits, between two batches. */
const TURN_MS = 200;

/** ms in which a process that was killed has ended. */
const CLOSE_MS = 2000;

export interface SandboxOptions {
  readonly startIsolate: StartIsolate;
  /** Code of the engine (`readEngine`), asked for when a process is started. Throws where there is none. */
  readonly readWasm: () => Uint8Array;
  /** Gets why a process ended by itself, or could not be started: it may name files of the machine, which records and callers do not. */
  readonly log: (line: string) => void;
  /** Processes at once. */
  readonly most?: number;
  readonly idleMs?: number;
  readonly turnMs?: number;
  /** ms that a script waits at first once it is to blame. */
  readonly firstWaitMs?: number | undefined;
}

/** Where scripts of users run, a process for each group of them, so that what one does reaches nobody else. */
export interface Sandbox {
  /**
   * Calls a function of a script with each input, which is JSON. Resolves with an outcome for each, in order, and never rejects. Every call
   * begins from the script as it was once loaded.
   */
  run(group: string, script: string, name: string, inputs: readonly string[]): Promise<readonly Outcome[]>;
  counts(group: string): Counts;
  /** Ends all processes. Calls that were not made come to `waiting`. */
  close(): Promise<void>;
}

interface Member {
  readonly group: Group;
  process: IsolateProcess | null;
  turn: Turn | null;
  /** When it got its process. */
  since: MonotonicMs;
  idle: NodeJS.Timeout | undefined;
}

const stopping = () => failure('waiting', 'The service stops: this call was not made.');

export function createSandbox({
  startIsolate,
  readWasm,
  log,
  most = 4,
  idleMs = IDLE_MS,
  turnMs = TURN_MS,
  firstWaitMs,
}: SandboxOptions): Sandbox {
  const members = new Map<string, Member>();
  /** Those with a process; the first was used longest ago. */
  const running = new Set<Member>();
  /** Those with calls and without a process. */
  const queue = new Set<Member>();
  /** Ends of all processes that there are; some have been killed and have not ended yet. */
  const exits = new Set<Promise<void>>();
  let closed = false;

  function memberOf(name: string): Member {
    const known = members.get(name);
    if (known !== undefined) return known;
    const made: Member = {
      group: new Group(firstWaitMs),
      process: null,
      turn: null,
      since: machineClock.monotonicMs(),
      idle: undefined,
    };
    members.set(name, made);
    return made;
  }

  function end(member: Member): void {
    clearTimeout(member.idle);
    member.process?.kill();
    member.process = null;
    member.turn = null;
    running.delete(member);
  }

  /** Has a group go on: with its process, a new one, or when another one's makes room. */
  function advance(member: Member): void {
    const { group, process } = member;
    if (closed || member.turn !== null) return;
    const turn = process === null ? null : group.take();
    if (process !== null && turn !== null) begin(member, process, turn);
    else if (process !== null) member.idle = machineClock.after(idleMs, () => end(member)).unref();
    else if (group.hasCalls) {
      queue.add(member);
      admit();
    }
  }

  function begin(member: Member, process: IsolateProcess, turn: Turn): void {
    clearTimeout(member.idle);
    // Again the one that was used last.
    running.delete(member);
    running.add(member);
    member.turn = turn;
    const { program, calls, isEach } = turn;
    const { key, script, name } = program;
    process.begin({ key, script, name, inputs: calls.map(({ input }) => input), isEach });
  }

  /** Starts processes for groups that wait, in the place of those that have nothing to do. */
  function admit(): void {
    let ending = exits.size - running.size;
    for (const member of queue) {
      if (exits.size < most) {
        queue.delete(member);
        start(member);
      } else if (ending > 0) ending--;
      else {
        const spare = [...running].find(({ turn }) => turn === null);
        if (spare === undefined) return;
        end(spare);
      }
    }
  }

  function start(member: Member): void {
    const { group } = member;
    running.add(member);
    member.since = machineClock.monotonicMs();
    group.started();
    try {
      const wasm = readWasm();
      member.process = new IsolateProcess(startIsolate(), wasm, {
        outcomes: (outcomes) => group.tell(member.turn!, outcomes),
        done: () => done(member),
        hung: (index) => lost(member, (turn) => group.hung(turn, index)),
        ended(why, isReady) {
          log(`A process for functions ${isReady ? 'ended' : 'could not be started'}. ${why}`);
          lost(member, (turn) => (isReady ? group.crashed(turn) : group.notStarted(turn)));
        },
      });
    } catch (error) {
      end(member);
      log(
        `A process for functions could not be started. ${error instanceof Error ? error.message : String(error)}`,
      );
      group.notStarted(null);
      return;
    }
    void heedExit(member.process.exited);
    advance(member);
  }

  async function heedExit(exited: Promise<void>): Promise<void> {
    exits.add(exited);
    await exited;
    exits.delete(exited);
    admit();
  }

  /** A batch is done: whoever waits gets room where this group has had its time. */
  function done(member: Member): void {
    member.turn = null;
    const isOver = machineClock.monotonicMs() - member.since >= turnMs;
    if (queue.size > 0 && isOver && member.group.hasCalls) {
      end(member);
      queue.add(member);
    } else advance(member);
    admit();
  }

  /** A process has gone. */
  function lost(member: Member, tell: (turn: Turn) => void): void {
    const { turn } = member;
    end(member);
    if (turn !== null) tell(turn);
    advance(member);
    admit();
  }

  return {
    run(name, script, functionName, inputs) {
      const { group } = memberOf(name);
      const hash = createHash('sha256').update(script).digest('base64');
      const program: Program = { hash, key: `${hash} ${functionName}`, script, name: functionName };
      const refusal = closed ? stopping() : (refusalOf(script, functionName) ?? group.refusal(program));
      return new Promise((resolve) => {
        const outcomes: Outcome[] = Array.from(inputs, stopping);
        let left = inputs.length;
        if (left === 0) return resolve(outcomes);
        const calls: Call[] = [];
        for (const [index, input] of inputs.entries()) {
          const settle = (outcome: Outcome) => {
            outcomes[index] = outcome;
            if (--left === 0) resolve(outcomes);
          };
          const call = { input, settle };
          const wrong = refusal ?? inputRefusal(input);
          if (wrong === null) calls.push(call);
          else group.settle(call, wrong);
        }
        if (calls.length === 0) return;
        group.add(program, calls);
        advance(memberOf(name));
      });
    },
    counts: (name) => memberOf(name).group.counts,
    async close() {
      closed = true;
      queue.clear();
      for (const member of members.values()) {
        const { turn, group } = member;
        end(member);
        group.stop(turn, stopping());
      }
      if (exits.size === 0) return;
      // Processes keep nobody running; whoever waits here is.
      const patience = Promise.withResolvers<void>();
      const timer = machineClock.after(CLOSE_MS, patience.resolve);
      await Promise.race([Promise.all(exits), patience.promise]);
      clearTimeout(timer);
    },
  };
}
