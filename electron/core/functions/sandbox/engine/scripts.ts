import { parseJson } from '#shared/values/json.ts';
import { failure, lateOutcome, MOST_RESULT, type FailureKind, type Outcome } from '../outcome.ts';
import { Budget } from './budget.ts';
import { Engine, type Snapshot, type Value } from './engine.ts';
import { EngineFailure } from './imports.ts';
import { MARKS, PRELUDE, SCRIPT_FILE } from './prelude.ts';
import { Module, type WasmModule } from './web-assembly.ts';

/** Bytes that a script may have once it is loaded, beside what every script has. */
const KEPT_MEMORY = 4 * 1024 * 1024;
/** Bytes that a call may have, together with its script. */
const CALL_MEMORY = 16 * 1024 * 1024;
/** Scripts that are kept as they are once loaded, and bytes of all of them. */
const MOST_KEPT = 64;
const MOST_KEPT_BYTES = 48 * 1024 * 1024;

/** What a script may come to once, and not the next time. */
const PASSING: ReadonlySet<FailureKind> = new Set(['late', 'crashed']);

interface Loaded {
  /** The engine as the script has left it, and the function; or what every call comes to. */
  readonly ready: { readonly snapshot: Snapshot; readonly run: Value } | Outcome;
}

interface Started {
  readonly engine: Engine;
  /** As it is before any script. */
  readonly blank: Snapshot;
  readonly call: Value;
  readonly say: Value;
}

/** Scripts in one engine. Each call begins from the script as it was once loaded: nothing that another call did is there. */
export class Scripts {
  readonly #module: WasmModule;
  readonly #budget = new Budget();
  readonly #loaded = new Map<string, Loaded>();
  #started: Started | null = null;
  /** JSON of the call under way; null while a script is loaded. */
  #input: string | null = null;

  constructor(wasm: Uint8Array) {
    this.#module = new Module(wasm);
    this.#started = this.#start();
  }

  /** Whether a script need not be loaded. One that took too long or broke the engine is loaded anew. */
  has(key: string): boolean {
    const ready = this.#loaded.get(key)?.ready;
    return ready !== undefined && !('ok' in ready && !ready.ok && PASSING.has(ready.kind));
  }

  /** Loads a script; `key` is of its text and of the name of its function. */
  load(key: string, script: string, name: string): void {
    this.#input = null;
    let ready: Loaded['ready'];
    try {
      ready = this.#load(script, name);
    } catch (error) {
      ready = this.#broken(error);
    }
    this.#loaded.set(key, { ready });
    this.#forget();
  }

  /** Calls the function of a script that is loaded. */
  call(key: string, name: string, input: string): Outcome {
    const loaded = this.#loaded.get(key);
    if (loaded === undefined) throw new Error(`No script ${key} is loaded.`);
    // The one that was used last is the last to go.
    this.#loaded.delete(key);
    this.#loaded.set(key, loaded);
    const { ready } = loaded;
    if ('ok' in ready) return ready;
    try {
      return this.#call(ready, name, input);
    } catch (error) {
      return this.#broken(error);
    }
  }

  #start(): Started {
    this.#budget.begin();
    const engine: Engine = new Engine(this.#module, {
      now: () => timeOf(this.#input),
      shouldInterrupt: () => this.#budget.look(),
    });
    const { ok, value } = engine.evaluate(PRELUDE, 'fieldbench');
    if (!ok) throw new EngineFailure(`the prelude failed: ${engine.textOf(value)}`);
    const [call, say] = [engine.element(value, 0), engine.element(value, 1)];
    return { engine, blank: engine.take(), call, say };
  }

  #load(script: string, name: string): Loaded['ready'] {
    const { engine, blank, say } = (this.#started ??= this.#start());
    engine.restore(blank);
    this.#budget.begin();
    engine.limitMemory(blank.size + KEPT_MEMORY);
    const evaluated = engine.evaluate(script, SCRIPT_FILE);
    if (this.#budget.isSpent) return lateOutcome();
    if (!evaluated.ok) return this.#thrown(engine.call(say, evaluated.value), isSyntax);
    const found = engine.evaluate(`if (typeof ${name} !== 'function') throw 0; ${name}`, 'fieldbench');
    if (this.#budget.isSpent) return lateOutcome();
    if (!found.ok) return failure('missing', `The script has no function ${name}.`);
    engine.limitMemory(CALL_MEMORY);
    return { snapshot: engine.take(), run: found.value };
  }

  #call(
    { snapshot, run }: { readonly snapshot: Snapshot; readonly run: Value },
    name: string,
    input: string,
  ) {
    const { engine, call } = (this.#started ??= this.#start());
    engine.restore(snapshot);
    this.#input = input;
    this.#budget.begin();
    const returned = engine.call(call, run, engine.newString(name), engine.newString(input));
    if (this.#budget.isSpent) return lateOutcome();
    return this.#thrown(returned, () => false);
  }

  /** Reads what the prelude returned: JSON, or a message behind its mark. */
  #thrown(
    { ok, value }: { readonly ok: boolean; readonly value: Value },
    isSyntaxError: (message: string) => boolean,
  ): Outcome {
    if (this.#budget.isSpent) return lateOutcome();
    // The prelude catches all that can be caught.
    if (!ok) return memoryOutcome();
    const text = this.#started!.engine.textOf(value);
    const message = text.slice(1);
    switch (text[0]) {
      case MARKS.thrown:
        return failure(isSyntaxError(message) ? 'syntax' : 'thrown', message);
      case MARKS.memory:
        return memoryOutcome();
      case MARKS.size:
        return failure(
          'size',
          `It returned ${message} characters of JSON; ${MOST_RESULT} is the most that a call may return.`,
        );
      default:
        return { ok: true, text };
    }
  }

  /** An engine that has thrown is not used any more. */
  #broken(error: unknown): Outcome {
    this.#started = null;
    // V8's own words for its stack; the engine's limit comes first wherever it looks.
    if (error instanceof RangeError && error.message.includes('call stack'))
      return failure('thrown', 'InternalError: stack overflow');
    if (error instanceof RangeError) return memoryOutcome();
    return failure(
      'crashed',
      `The engine failed: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }

  /** Those that were used last stay, and the last one in any case. */
  #forget(): void {
    let [count, bytes] = [0, 0];
    for (const [key, { ready }] of [...this.#loaded].toReversed()) {
      count++;
      bytes += 'ok' in ready ? 0 : ready.snapshot.size;
      if (count > 1 && (count > MOST_KEPT || bytes > MOST_KEPT_BYTES)) this.#loaded.delete(key);
    }
  }
}

const isSyntax = (message: string) => message.startsWith('SyntaxError');

const memoryOutcome = () =>
  failure('memory', 'It needs more memory than the 16 MB that a call has, or the 4 MB that a script keeps.');

/** ms of an input's `recvTime`, a number or text; 0 where it has none. */
function timeOf(input: string | null): number {
  if (input === null) return 0;
  const value = parseJson(input);
  const time = typeof value === 'object' && value !== null && 'recvTime' in value ? value.recvTime : 0;
  const ms = typeof time === 'string' ? Date.parse(time) : time;
  return typeof ms === 'number' && Number.isFinite(ms) ? ms : 0;
}
