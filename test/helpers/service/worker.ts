import { fileURLToPath } from 'node:url';

/** The script of worker threads, as it stands in the sources. */
export const WORKER_SCRIPT = fileURLToPath(
  new URL('../../../electron/core/service/worker.ts', import.meta.url),
);
