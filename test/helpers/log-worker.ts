import { fileURLToPath } from 'node:url';

/** The script of the log's worker threads, as it stands in the sources. */
export const LOG_WORKER = fileURLToPath(new URL('../../electron/core/log-worker.ts', import.meta.url));
