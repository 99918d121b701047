import { machineClock } from '../../base/machine-clock.ts';
import type { FromIsolate } from './messages.ts';
import type { IsolatePort } from './port.ts';
import { MOST_MESSAGE, MOST_RESULT, type FailureKind, type Outcome } from './outcome.ts';

/** ms without a word from a process that has work, or has just been started: it says one each second, whatever a script does. */
const SILENT_MS = 30_000;

/** What a process is given to do. */
export interface Work {
  readonly key: string;
  readonly script: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly isEach: boolean;
}

/** Told to whoever gave it work. After `hung` or `ended` nothing more comes. */
export interface Listener {
  outcomes(outcomes: readonly Outcome[]): void;
  done(): void;
  /** The call of this index does not end. */
  hung(index: number): void;
  /** `isReady`: it had started. */
  ended(why: string, isReady: boolean): void;
}

/** A process with one batch at a time. What it says is checked: a script may have got hold of it. */
export class IsolateProcess {
  /** Resolves when it has ended. */
  readonly exited: Promise<void>;
  readonly #port: IsolatePort;
  readonly #listener: Listener;
  /** Scripts of which it has had the text. */
  readonly #sent = new Set<string>();
  #work: Work | null = null;
  #number = 0;
  #told = 0;
  #isReady = false;
  #isOver = false;
  #silence: NodeJS.Timeout | undefined;

  constructor(port: IsolatePort, wasm: Uint8Array, listener: Listener) {
    this.#port = port;
    this.#listener = listener;
    port.onMessage((message) => this.#receive(message));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.exited = promise;
    port.onExit((why) => {
      resolve();
      this.#end(why);
    });
    port.post({ type: 'open', wasm });
    this.#expectWord();
  }

  begin(work: Work): void {
    this.#work = work;
    this.#number++;
    this.#told = 0;
    this.#post(this.#sent.has(work.key) ? null : work.script);
    this.#expectWord();
  }

  /** Ends it without a word to the listener. */
  kill(): void {
    this.#isOver = true;
    clearTimeout(this.#silence);
    this.#port.kill();
  }

  #post(script: string | null): void {
    const { key, name, inputs, isEach } = this.#work!;
    this.#sent.add(key);
    this.#port.post({ type: 'run', number: this.#number, key, script, name, inputs, isEach });
  }

  #expectWord(): void {
    clearTimeout(this.#silence);
    if (this.#work === null && this.#isReady) return;
    this.#silence = machineClock.after(SILENT_MS, () => {
      if (this.#isReady) this.#hang(this.#told);
      else this.#end(`It did not start within ${SILENT_MS / 1000} s.`);
    });
  }

  #receive(message: FromIsolate): void {
    if (this.#isOver) return;
    if (message.type === 'ready') this.#isReady = true;
    else if (message.type !== 'alive' && message.number === this.#number && this.#work !== null)
      this.#hear(message, this.#work);
    if (!this.#isOver) this.#expectWord();
  }

  #hear(message: Exclude<FromIsolate, { readonly type: 'ready' | 'alive' }>, work: Work): void {
    if (message.type === 'unknown') this.#post(work.script);
    else if (message.type === 'hung') this.#hang(Math.max(this.#told, message.index));
    else if (this.#told + message.outcomes.length > work.inputs.length || !message.outcomes.every(isOutcome))
      this.#end('It said what no process says.');
    else {
      this.#told += message.outcomes.length;
      this.#listener.outcomes(message.outcomes);
      if (this.#told < work.inputs.length || this.#isOver) return;
      this.#work = null;
      this.#listener.done();
    }
  }

  #hang(index: number): void {
    if (this.#isOver) return;
    this.kill();
    this.#listener.hung(index);
  }

  #end(why: string): void {
    if (this.#isOver) return;
    this.kill();
    this.#listener.ended(why, this.#isReady);
  }
}

const KINDS: Readonly<Record<FailureKind, true>> = {
  thrown: true,
  late: true,
  memory: true,
  size: true,
  crashed: true,
  syntax: true,
  missing: true,
  waiting: true,
};

const isText = (value: unknown, most: number) => typeof value === 'string' && value.length <= most;

const isOutcome = (outcome: Outcome) =>
  outcome.ok
    ? isText(outcome.text, MOST_RESULT)
    : Object.hasOwn(KINDS, outcome.kind) && isText(outcome.message, MOST_MESSAGE);
