import type { Codec } from './clone.ts';

/*
 * The code that runs in a window's page. Each function is sent there as text, so none may use anything from outside of
 * itself. A preload lives in an isolated world: it shares the document with the page and no JavaScript value. What
 * passes between the two goes through events on the window, whose details Chromium itself clones from world to world.
 */

/** One world's end of the wall. `mine` and `theirs` are names of events that only the two ends know. */
export interface Membrane {
  /** A value as the other world may have it: a copy, its functions replaced. Throws on what cannot be cloned. */
  readonly pack: (value: unknown) => unknown;
  readonly unpack: (packed: unknown) => unknown;
}

export function createMembrane(secret: string, mine: string, theirs: string): Membrane {
  type Function_ = (...args: unknown[]) => unknown;
  type Answer = { readonly value?: unknown; readonly error?: string };
  const ours: Function_[] = [];
  const answers: Answer[] = [];

  const pack = (value: unknown): unknown => {
    const packed = packFunctions(value);
    try {
      return structuredClone(packed);
    } catch {
      throw new Error('An object could not be cloned.');
    }
  };

  const packFunctions = (value: unknown): unknown => {
    if (typeof value === 'function') return { [secret]: ours.push(value as Function_) - 1 };
    if (Array.isArray(value)) return value.map(packFunctions);
    if (typeof value !== 'object' || value === null) return value;
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, packFunctions(held)]));
  };

  const unpack = (packed: unknown): unknown => {
    if (Array.isArray(packed)) return packed.map(unpack);
    if (typeof packed !== 'object' || packed === null || Object.getPrototypeOf(packed) !== Object.prototype)
      return packed;
    const index = (packed as Record<string, unknown>)[secret];
    if (typeof index === 'number') return (...args: unknown[]) => call(index, args);
    return Object.fromEntries(Object.entries(packed).map(([key, held]) => [key, unpack(held)]));
  };

  /** Events are dispatched at once, so the answer has arrived when the dispatch returns; nested calls stack up. */
  const call = (index: number, args: unknown[]): unknown => {
    window.dispatchEvent(new CustomEvent(`${theirs}-call`, { detail: { index, args: pack(args) } }));
    const answer = answers.pop();
    if (!answer) throw new Error('The other world is gone.');
    // Electron carries an error's message across, and nothing else of it.
    if (answer.error !== undefined) throw new Error(answer.error);
    return unpack(answer.value);
  };

  window.addEventListener(
    `${mine}-answer`,
    (event) => void answers.push((event as CustomEvent<Answer>).detail),
  );
  window.addEventListener(`${mine}-call`, (event) => {
    const { index, args } = (event as CustomEvent<{ index: number; args: unknown[] }>).detail;
    let answer: Answer;
    try {
      answer = { value: pack(ours[index]?.(...(unpack(args) as unknown[]))) };
    } catch (error) {
      answer = { error: error instanceof Error ? error.message : String(error) };
    }
    window.dispatchEvent(new CustomEvent(`${theirs}-answer`, { detail: answer }));
  });
  return { pack, unpack };
}

/** The page's end: puts on its window what the preload exposes, before any script of the page runs. */
export function openMainWorld(secret: string, { unpack }: Membrane): void {
  const freeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
      Object.values(value).forEach(freeze);
    return ArrayBuffer.isView(value) ? value : Object.freeze(value);
  };
  window.addEventListener(`${secret}-expose`, (event) => {
    const { key, packed } = (event as CustomEvent<{ key: string; packed: unknown }>).detail;
    Object.defineProperty(window, key, { value: freeze(unpack(packed)), enumerable: true });
  });
}

export interface PreloadGlobals {
  require(name: string): unknown;
  /** Hands a message of the main process to the preload's listeners. */
  deliver(text: string): void;
}

/** The preload's end: the two modules a sandboxed preload has here, and nothing else. `send` reaches the main process. */
export function openIsolatedWorld(
  secret: string,
  { pack }: Membrane,
  codec: Codec,
  send: (text: string) => void,
): PreloadGlobals {
  type Listener = (event: object, ...args: unknown[]) => void;
  const listeners = new Map<string, Listener[]>();
  const invocations = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const exposed = new Set<string>();
  let lastInvocation = 0;

  const ipcRenderer = {
    send: (channel: string, ...args: unknown[]) => send(codec.encode({ channel, args })),
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const n = ++lastInvocation;
        send(codec.encode({ n, channel, args }));
        invocations.set(n, { resolve, reject });
      }),
    on(channel: string, listener: Listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
    off(channel: string, listener: Listener) {
      const left = listeners.get(channel) ?? [];
      const index = left.lastIndexOf(listener);
      listeners.set(channel, index < 0 ? left : left.toSpliced(index, 1));
      return ipcRenderer;
    },
    removeListener: (channel: string, listener: Listener) => ipcRenderer.off(channel, listener),
  };

  const contextBridge = {
    exposeInMainWorld(key: string, api: unknown) {
      if (exposed.has(key))
        throw new Error(`Cannot bind an API on top of an existing property on the window object`);
      exposed.add(key);
      window.dispatchEvent(new CustomEvent(`${secret}-expose`, { detail: { key, packed: pack(api) } }));
    },
  };

  return {
    require(name) {
      if (name === 'electron') return { contextBridge, ipcRenderer };
      throw new Error(`module not found: ${name}`);
    },
    deliver(text) {
      const message = codec.decode(text) as { n?: number; channel: string; args: unknown[]; error?: string };
      if (message.n === undefined) {
        for (const listener of listeners.get(message.channel) ?? [])
          listener({ sender: ipcRenderer }, ...message.args);
        return;
      }
      const invocation = invocations.get(message.n);
      invocations.delete(message.n);
      if (message.error === undefined) invocation?.resolve(message.args[0]);
      else invocation?.reject(new Error(message.error));
    },
  };
}
