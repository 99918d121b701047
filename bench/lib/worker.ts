import { fileURLToPath } from 'node:url';

/** The script of the store's worker threads. */
export const WORKER_SCRIPT = fileURLToPath(new URL('../../electron/core/service/worker.ts', import.meta.url));
