import { Worker } from 'node:worker_threads';
import { machineClock } from '../../../base/machine-clock.ts';
import type { FromIsolate, ToIsolate } from '../messages.ts';
import type { RunnerData } from './run-batches.ts';

/** ms of the process's processor time within which a call must end; what it counts itself is less, and usually comes first. */
const HANG_MS = 400;
/** ms between looks at the call under way. */
const LOOK_MS = 25;
const ALIVE_MS = 1000;
/** MB of objects beside the engine's memory. */
const HEAP_MB = 64;
/** MB of the thread's stack: the engine's own limit of nested calls comes first, with much to spare. */
const STACK_MB = 8;

export interface Parent {
  post(message: FromIsolate): void;
  onMessage(heard: (message: ToIsolate) => void): void;
  onGone(gone: () => void): void;
}

/**
 * Has a thread of this process run what the parent posts, and looks at how long each call takes: its processor time, so that a call
 * is not late because the machine is busy. A process whose parent has gone ends.
 */
export function supervise(parent: Parent, script: URL): void {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  let worker: Worker | null = null;
  let watch: NodeJS.Timeout | undefined;
  /** Calls of the batch under way without an outcome. */
  let left = 0;
  parent.onGone(end);
  parent.onMessage((message) => {
    if (message.type === 'open') {
      worker = startRunner(script, { wasm: message.wasm, progress });
      worker.on('message', (told: FromIsolate) => {
        if (told.type === 'outcomes') left -= told.outcomes.length;
        if (left === 0 || told.type === 'unknown') clearInterval(watch);
        parent.post(told);
      });
    } else {
      left = message.inputs.length;
      watch = watchCalls(progress, message.number, parent);
      worker?.postMessage(message, []);
    }
  });
}

/** Ends the process. Nothing in it is worth an orderly end, and a thread in an endless loop allows none. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

function startRunner(script: URL, workerData: RunnerData): Worker {
  const worker = new Worker(script, {
    workerData,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, stackSizeMb: STACK_MB },
  });
  worker.on('error', (error) => {
    process.stderr.write(`${String(error)}\n`);
    end();
  });
  worker.on('exit', end);
  return worker;
}

function watchCalls(progress: RunnerData['progress'], number: number, parent: Parent): NodeJS.Timeout {
  let seen = 0;
  let since = processorMs();
  let toldAt = machineClock.monotonicMs();
  return machineClock.every(LOOK_MS, () => {
    const now = machineClock.monotonicMs();
    if (now - toldAt > ALIVE_MS) {
      parent.post({ type: 'alive' });
      toldAt = now;
    }
    const current = Atomics.load(progress, 0);
    if (current === 0 || current !== seen) {
      seen = current;
      since = processorMs();
    } else if (processorMs() - since > HANG_MS) {
      parent.post({ type: 'hung', number, index: current - 1 });
      since = Infinity;
    }
  });
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
