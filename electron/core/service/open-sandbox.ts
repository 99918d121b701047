import type { Config } from '../base/config.ts';
import type { Logger } from '../base/logger.ts';
import { readEngine } from '../functions/sandbox/engine-file.ts';
import { forkIsolates } from '../functions/sandbox/fork-isolate.ts';
import { createSandbox, type Sandbox } from '../functions/sandbox/sandbox.ts';
import type { ServiceParts } from './service-parts.ts';

/** Opens the place where functions of users run. It starts nothing before the first call. */
export const openSandbox = (
  { isolateScript }: Pick<Config, 'isolateScript'>,
  { startIsolate = forkIsolates({ script: isolateScript }) }: Pick<ServiceParts, 'startIsolate'>,
  log: Pick<Logger, 'warn'>,
): Sandbox => createSandbox({ startIsolate, readWasm: readEngine, log: (line) => log.warn(line) });
