import { afterAll } from 'vitest';
import { createThreads } from '#core/threads/threads.ts';
import { LOG_WORKER } from '../../helpers/worker.ts';
import { importSuite } from '../../suites/import.ts';

const threads = createThreads({ script: LOG_WORKER });
afterAll(() => threads.close());

importSuite('an import in this thread', null);
importSuite('an import in a worker thread', threads);
