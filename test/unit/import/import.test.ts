import { afterAll } from 'vitest';
import { createThreads } from '#core/threads/threads.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { importSuite } from '../../suites/import.ts';

const threads = createThreads({ script: WORKER_SCRIPT });
afterAll(() => threads.close());

importSuite('an import in this thread', null);
importSuite('an import in a worker thread', threads);
