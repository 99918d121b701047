import { IMPORTS } from './names.ts';
import type { WasmMemory } from './web-assembly.ts';

/** What the engine is told by whoever runs it: nothing else reaches a script. */
export interface Host {
  /** ms since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Whether the call under way has to end. */
  shouldInterrupt(): boolean;
}

/** WASI's code for a file that is none. */
const BAD_FILE = 8;

/** Returns the imports of an engine: time in UTC, no environment, no files, no functions of the host, memory that does not grow. */
export function importsOf(memory: WasmMemory, host: Host): Readonly<Record<string, unknown>> {
  const words = new Int32Array(memory.buffer);
  return {
    [IMPORTS.memory]: memory,
    [IMPORTS.assertFailed]: never('an assertion of the engine failed'),
    [IMPORTS.abort]: never('the engine gave up'),
    [IMPORTS.exit]: never('the engine exited'),
    [IMPORTS.callHost]: never('the engine called a function of its host'),
    [IMPORTS.loadModule]: never('the engine loaded a module'),
    [IMPORTS.normalizeModule]: never('the engine looked for a module'),
    [IMPORTS.freeHostReference]: never('the engine let go of a value of its host'),
    [IMPORTS.keepAlive]: () => undefined,
    [IMPORTS.setTimer]: () => 0,
    [IMPORTS.growMemory]: () => 0,
    [IMPORTS.environment]: () => 0,
    [IMPORTS.environmentSizes](count: number, size: number) {
      words[count >> 2] = 0;
      words[size >> 2] = 0;
      return 0;
    },
    [IMPORTS.closeFile]: () => BAD_FILE,
    [IMPORTS.seekFile]: () => BAD_FILE,
    [IMPORTS.writeFile]: () => BAD_FILE,
    [IMPORTS.dateNow]: () => host.now(),
    [IMPORTS.shouldInterrupt]: () => (host.shouldInterrupt() ? 1 : 0),
    [IMPORTS.localTime](seconds: bigint, at: number) {
      words.set(brokenDown(Number(seconds)), at >> 2);
    },
    [IMPORTS.timeZone](offset: number, hasSummer: number, winter: number, summer: number) {
      words[offset >> 2] = 0;
      words[hasSummer >> 2] = 0;
      const bytes = new Uint8Array(memory.buffer);
      for (const at of [winter, summer]) bytes.set([...Buffer.from('UTC'), 0], at);
    },
  };
}

const never = (what: string) => () => {
  throw new EngineFailure(what);
};

/** The engine ended, and what it has in memory is worth nothing. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
}

const DAY_MS = 86_400_000;

/** struct tm of C, in UTC: seconds, minutes, hours, day, month, years since 1900, day of the week and of the year, summer time, offset. */
function brokenDown(seconds: number): readonly number[] {
  const time = new Date(seconds * 1000);
  const year = time.getUTCFullYear();
  const day = Math.floor((time.getTime() - Date.UTC(year, 0, 1)) / DAY_MS);
  return [
    time.getUTCSeconds(),
    time.getUTCMinutes(),
    time.getUTCHours(),
    time.getUTCDate(),
    time.getUTCMonth(),
    year - 1900,
    time.getUTCDay(),
    day,
    0,
    0,
  ];
}
