import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Whether other processes and threads run what is built, as `npm test` has them do: it is what ships, and starts in half of the
 * processor time. A test that is run by itself takes the sources, which are never stale.
 */
const isBuilt = process.env['FIELDBENCH_TEST_BUILT'] === '1';

/** The command line. */
export const CLI_SCRIPT = join(ROOT, isBuilt ? 'out/main/cli.js' : 'electron/core/cli/main.ts');

/** The script of processes in which functions run. */
export const ISOLATE_SCRIPT = join(
  ROOT,
  isBuilt ? 'out/main/isolate.js' : 'electron/core/functions/sandbox/isolate.ts',
);

/** The script of worker threads. */
export const WORKER_SCRIPT = join(ROOT, isBuilt ? 'out/main/worker.js' : 'electron/core/service/worker.ts');
