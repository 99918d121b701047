import { EngineFailure, importsOf, type Host } from './imports.ts';
import { EXPORTS, UNNAMED } from './names.ts';
import { Instance, Memory, type WasmModule } from './web-assembly.ts';

const PAGE = 65_536;
/** Bytes of all memory of an engine: it never grows. */
const MEMORY = 32 * 1024 * 1024;
/** Bytes between the data of fixed size and the heap, as the engine was built. */
const STACK_ROOM = 5 * 1024 * 1024;
/** Bytes of the stack that a script may use; the engine looks at each call of a function. */
const STACK = 128 * 1024;
/** Bytes of the stack that are cleared: functions of C reach beyond the last look. */
const USED_STACK = STACK + 32 * 1024;
/** Bytes by which the heap is made to grow, to find where its end is noted: more than is free in it at the start. */
const PROBE = 1024 * 1024;

declare const snapshot: unique symbol;

/** Everything in an engine at one moment; it can be put back into any engine of the same code. */
export interface Snapshot {
  readonly [snapshot]: true;
  /** Bytes that it takes. */
  readonly size: number;
}

interface Parts extends Snapshot {
  readonly fixed: Uint8Array;
  readonly heap: Uint8Array;
}

/** Address of a value in the engine's memory. */
export type Value = number;

type Raw = (...values: readonly number[]) => number;
type Functions = Readonly<Record<keyof typeof EXPORTS | keyof typeof UNNAMED, Raw>>;

const encoder = new TextEncoder();

/**
 * QuickJS in a memory of its own. From bottom to top there are data of fixed size, the stack, which grows down, and the heap. After a
 * function here has thrown, the engine is of no use.
 */
export class Engine {
  readonly #bytes: Uint8Array;
  readonly #buffer: Buffer;
  readonly #words: Int32Array;
  readonly #run: Functions;
  readonly #stack: number;
  /** Bytes of the data of fixed size. */
  readonly #fixed: number;
  /** Index of the word that holds the end of the heap. */
  readonly #break: number;
  readonly #runtime: number;
  readonly #context: number;
  readonly #undefined: Value;

  constructor(module: WasmModule, host: Host) {
    const memory = new Memory({ initial: MEMORY / PAGE, maximum: MEMORY / PAGE });
    this.#bytes = new Uint8Array(memory.buffer);
    this.#buffer = Buffer.from(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
    const { exports } = new Instance(module, { a: importsOf(memory, host) });
    this.#run = Object.fromEntries(
      Object.entries({ ...EXPORTS, ...UNNAMED }).map(([name, short]) => [name, exports[short] as Raw]),
    ) as Functions;
    this.#run.construct();
    this.#stack = this.#run.stackSave();
    this.#fixed = this.#stack - STACK_ROOM;
    this.#break = this.#findBreak();
    this.#runtime = this.#run.QTS_NewRuntime();
    this.#run.QTS_RuntimeSetMaxStackSize(this.#runtime, STACK);
    this.#run.QTS_RuntimeEnableInterruptHandler(this.#runtime);
    // 0 is all that the language has.
    this.#context = this.#run.QTS_NewContext(this.#runtime, 0);
    this.#undefined = this.#run.QTS_GetUndefined();
  }

  /** Bytes that the heap may have from now on. */
  limitMemory(bytes: number): void {
    this.#run.QTS_RuntimeSetMemoryLimit(this.#runtime, bytes);
  }

  /** Returns what a script comes to; `ok` is false where it threw that. */
  evaluate(source: string, file: string): { readonly ok: boolean; readonly value: Value } {
    const [text, length] = this.#write(source);
    const [name] = this.#write(file);
    return this.#settled(this.#run.QTS_Eval(this.#context, text, length, name, 0, 0));
  }

  /** Calls a function without `this`. */
  call(run: Value, ...values: readonly Value[]): { readonly ok: boolean; readonly value: Value } {
    const list = this.#run.malloc(4 * Math.max(1, values.length));
    this.#words.set(values, list >> 2);
    return this.#settled(this.#run.QTS_Call(this.#context, run, this.#undefined, values.length, list));
  }

  element(array: Value, index: number): Value {
    return this.#run.QTS_GetPropNumber(this.#context, array, index);
  }

  newString(text: string): Value {
    const [at] = this.#write(text);
    return this.#run.QTS_NewString(this.#context, at);
  }

  /** Returns the text of a string, up to its first NUL. */
  textOf(value: Value): string {
    const at = this.#run.QTS_GetString(this.#context, value);
    return this.#buffer.toString('utf8', at, this.#buffer.indexOf(0, at));
  }

  /** Returns all that is in the memory, for `restore`. Everything that was allocated stays so. */
  take(): Snapshot {
    const fixed = this.#bytes.slice(0, this.#fixed);
    const heap = this.#bytes.slice(this.#stack, this.#heapEnd());
    return { fixed, heap, size: fixed.length + heap.length } as Parts;
  }

  /** Makes the memory what it was, to the last bit. */
  restore(taken: Snapshot): void {
    const { fixed, heap } = taken as Parts;
    const end = this.#stack + heap.length;
    if (this.#heapEnd() > end) this.#bytes.fill(0, end, this.#heapEnd());
    this.#bytes.set(fixed);
    this.#bytes.fill(0, this.#stack - USED_STACK, this.#stack);
    this.#bytes.set(heap, this.#stack);
    this.#run.stackRestore(this.#stack);
  }

  #heapEnd(): number {
    return this.#words[this.#break]!;
  }

  #settled(value: Value) {
    const thrown = this.#run.QTS_ResolveException(this.#context, value);
    return thrown === 0 ? { ok: true, value } : { ok: false, value: thrown };
  }

  /** Returns the address of a text that ends with NUL, and its bytes. */
  #write(text: string): [at: number, length: number] {
    const room = text.length * 3 + 1;
    const at = this.#run.malloc(room);
    if (at === 0) throw new RangeError(`There is no room for a text of ${text.length} characters.`);
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(at, at + room - 1));
    this.#bytes[at + written] = 0;
    return [at, written];
  }

  /** Returns the index of the word with the end of the heap: the highest address among the data of fixed size that moves where the heap grows. */
  #findBreak(): number {
    const old = this.#words.slice(0, this.#fixed >> 2);
    const heap = this.#bytes.slice(this.#stack, this.#stack + PROBE);
    const grown = this.#run.malloc(PROBE) + PROBE;
    let found = -1;
    for (const [index, was] of old.entries()) {
      const is = this.#words[index]!;
      const isEnd = is > was && was >= this.#stack && is >= grown && is < MEMORY;
      if (isEnd && (found === -1 || is > this.#words[found]!)) found = index;
    }
    if (found === -1) throw new EngineFailure('the end of the heap is not where it was expected');
    this.#bytes.fill(0, this.#stack, this.#words[found]);
    this.#bytes.set(heap, this.#stack);
    this.#words.set(old);
    return found;
  }
}
