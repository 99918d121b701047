import { readEngine } from '#core/functions/sandbox/engine-file.ts';
import { forkIsolates } from '#core/functions/sandbox/fork-isolate.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '#core/functions/sandbox/sandbox.ts';
import { ISOLATE_SCRIPT } from '../service/scripts.ts';

/** Starts processes as the service does. */
export const startIsolate = forkIsolates({ script: ISOLATE_SCRIPT });

export const openSandbox = (options: Partial<SandboxOptions> = {}): Sandbox =>
  createSandbox({ startIsolate, readWasm: readEngine, log: () => undefined, ...options });

/** A script whose function `f` has this body and the parameter `x`. */
export const withBody = (body: string): string => `function f(x) { ${body} }`;
