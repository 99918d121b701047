import { isMainThread } from 'node:worker_threads';

/* Runs first in a utility process of the stand-in: `process.parentPort` as Electron has it. Like Chromium's, it ends with the app. */

if (isMainThread) {
  if (process.send === undefined) throw new Error('A utility process was started without a channel.');
  const parentPort = {
    postMessage: (message: object) => void process.send?.(message),
    on: (name: 'message', heard: (event: { readonly data: unknown }) => void) =>
      process.on(name, (data: unknown) => heard({ data })),
  };
  Object.defineProperty(process, 'parentPort', { value: parentPort });
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
