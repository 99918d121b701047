import { brotliDecompressSync } from 'node:zlib';
import type { MessagePort } from 'node:worker_threads';
import { machineClock } from '../../../base/machine-clock.ts';
import { Scripts } from '../engine/scripts.ts';
import type { Batch, FromIsolate } from '../messages.ts';
import type { Outcome } from '../outcome.ts';

/** ms between messages with outcomes; what is in none of them has to be done again when the process is killed. */
const TELL_MS = 5;
/** The first bytes of WebAssembly; Brotli has none of its own. */
const WASM = [0, 0x61, 0x73, 0x6d];
/** Characters of outcomes in a message. */
const TELL_LENGTH = 256 * 1024;

export interface RunnerData {
  readonly wasm: Uint8Array;
  /** A word: one more than the index of the call under way, 0 where none is. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/** Runs batches in this thread as they come by a port. */
export function runBatches(port: MessagePort, { wasm, progress }: RunnerData): void {
  const isCode = WASM.every((byte, i) => wasm[i] === byte);
  const scripts = new Scripts(isCode ? wasm : brotliDecompressSync(wasm));
  const tell = (message: FromIsolate) => port.postMessage(message);
  port.on('message', (batch: Batch) => {
    run(scripts, batch, progress, tell);
    Atomics.store(progress, 0, 0);
  });
  tell({ type: 'ready' });
}

function run(
  scripts: Scripts,
  { number, key, script, name, inputs, isEach }: Batch,
  progress: RunnerData['progress'],
  tell: (message: FromIsolate) => void,
): void {
  if (!scripts.has(key)) {
    if (script === null) return tell({ type: 'unknown', number });
    Atomics.store(progress, 0, 1);
    scripts.load(key, script, name);
  }
  let outcomes: Outcome[] = [];
  let length = 0;
  let told = machineClock.monotonicMs();
  const flush = () => {
    tell({ type: 'outcomes', number, outcomes });
    outcomes = [];
    length = 0;
    told = machineClock.monotonicMs();
  };
  for (const [index, input] of inputs.entries()) {
    Atomics.store(progress, 0, index + 1);
    const outcome = scripts.call(key, name, input);
    outcomes.push(outcome);
    length += outcome.ok ? outcome.text.length : outcome.message.length;
    if (isEach || length > TELL_LENGTH || machineClock.monotonicMs() - told > TELL_MS) flush();
  }
  if (outcomes.length > 0) flush();
}
