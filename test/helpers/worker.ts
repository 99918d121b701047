import { fileURLToPath } from 'node:url';

/** The script of worker threads, as it stands in the sources. */
export const LOG_WORKER = fileURLToPath(new URL('../../electron/core/worker.ts', import.meta.url));
