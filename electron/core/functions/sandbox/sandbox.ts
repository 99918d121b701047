import { createHash } from 'node:crypto';
import { machineClock } from '../../base/machine-clock.ts';
import { Group, type Call, type Counts, type Program, type Turn } from './group.ts';
import { IsolateProcess } from './isolate-process.ts';
import { failure, inputRefusal, refusalOf, type Outcome } from './outcome.ts';
import type { StartIsolate } from './port.ts';

/** ms for which a process may have nothing to do. */
const IDLE_MS = 60_000;

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
  /** ms that a script waits at first once it is to blame. */
  readonly firstWaitMs?: number | undefined;
}

/**
 * Where scripts of users run, in processes: one for each group of them while there are enough, else groups take turns in them. What one
 * does reaches nobody else.
 */
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
  /** The one that it used last. */
  last: Runner | null;
}

/** A process, and whose scripts it ran last. */
interface Runner {
  readonly process: IsolateProcess;
  user: Member;
  turn: Turn | null;
  idle: NodeJS.Timeout | undefined;
}

/** Calls of a group that are under way. */
const turnOf = (member: Member): Turn | null => (member.last?.user === member ? member.last.turn : null);

const stopping = () => failure('waiting', 'The service stops: this call was not made.');

export function createSandbox({
  startIsolate,
  readWasm,
  log,
  most = 4,
  idleMs = IDLE_MS,
  firstWaitMs,
}: SandboxOptions): Sandbox {
  const members = new Map<string, Member>();
  /** The first was used longest ago. */
  const runners = new Set<Runner>();
  /** Groups with calls of which none are under way. */
  const queue = new Set<Member>();
  /** Ends of all processes that there are; some have been killed and have not ended yet. */
  const exits = new Set<Promise<void>>();
  let closed = false;

  function memberOf(name: string): Member {
    let member = members.get(name);
    if (member === undefined) members.set(name, (member = { group: new Group(firstWaitMs), last: null }));
    return member;
  }

  /** Has a group go on, behind those that wait already. */
  function advance(member: Member): void {
    if (!closed && turnOf(member) === null && member.group.hasCalls) queue.add(member);
    admit();
  }

  function admit(): void {
    for (const member of queue) {
      // Its calls may have been told that they are not made.
      const runner = member.group.hasCalls ? runnerFor(member) : null;
      if (runner === undefined) return;
      queue.delete(member);
      if (runner !== null) begin(member, runner);
    }
  }

  /**
   * Returns where a group goes on: in its own process, in a new one, or in one that has nothing to do, of these that which was used longest
   * ago. Null where a new one could not be started, undefined where all have something to do.
   */
  function runnerFor(member: Member): Runner | null | undefined {
    const { last } = member;
    const isFree = last !== null && runners.has(last) && last.turn === null;
    if (isFree && last.user === member) return last;
    if (exits.size < most) return start(member);
    // Where its scripts are loaded.
    return isFree ? last : [...runners].find(({ turn }) => turn === null);
  }

  function begin(member: Member, runner: Runner): void {
    const turn = member.group.take()!;
    clearTimeout(runner.idle);
    // Again the one that was used last.
    runners.delete(runner);
    runners.add(runner);
    member.last = runner;
    runner.user = member;
    runner.turn = turn;
    const { program, calls, isEach } = turn;
    const { key, script, name } = program;
    runner.process.begin({ key, script, name, inputs: calls.map(({ input }) => input), isEach });
  }

  function start(member: Member): Runner | null {
    const { group } = member;
    group.started();
    try {
      const process = new IsolateProcess(startIsolate(), readWasm(), {
        outcomes: (outcomes) => runner.user.group.tell(runner.turn!, outcomes),
        done: () => done(runner),
        hung: (index) => lost(runner, (each, turn) => each.hung(turn, index)),
        ended(why, isReady) {
          log(`A process for functions ${isReady ? 'ended' : 'could not be started'}. ${why}`);
          lost(runner, (each, turn) => (isReady ? each.crashed(turn) : each.notStarted(turn)));
        },
      });
      const runner: Runner = { process, user: member, turn: null, idle: undefined };
      runners.add(runner);
      void heedExit(process.exited);
      return runner;
    } catch (error) {
      log(
        `A process for functions could not be started. ${error instanceof Error ? error.message : String(error)}`,
      );
      group.notStarted(null);
      return null;
    }
  }

  async function heedExit(exited: Promise<void>): Promise<void> {
    exits.add(exited);
    await exited;
    exits.delete(exited);
    admit();
  }

  /** A batch is done: whoever waits goes on before its group does. */
  function done(runner: Runner): void {
    const { user } = runner;
    runner.turn = null;
    runner.idle = machineClock.after(idleMs, () => end(runner)).unref();
    advance(user);
  }

  /** A process has gone. */
  function lost(runner: Runner, tell: (group: Group, turn: Turn) => void): void {
    const { user, turn } = runner;
    end(runner);
    if (turn !== null) tell(user.group, turn);
    advance(user);
  }

  function end(runner: Runner): void {
    clearTimeout(runner.idle);
    runner.process.kill();
    runners.delete(runner);
    runner.turn = null;
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
      for (const member of members.values()) member.group.stop(turnOf(member), stopping());
      for (const runner of runners) end(runner);
      if (exits.size === 0) return;
      // Processes keep nobody running; whoever waits here is.
      const patience = Promise.withResolvers<void>();
      const timer = machineClock.after(CLOSE_MS, patience.resolve);
      await Promise.race([Promise.all(exits), patience.promise]);
      clearTimeout(timer);
    },
  };
}
