import { createThreads } from '#core/threads/threads.ts';
import { ECHO } from './kinds.ts';

/* A program that waits for a task and nothing else, and does not close its threads. */

const threads = createThreads({ script: process.argv[2] ?? '', idleMs: 60_000 });
await threads.run(ECHO, null);
process.stdout.write('over\n');
