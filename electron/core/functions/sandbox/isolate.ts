import { constants, setPriority } from 'node:os';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { FromIsolate, ToIsolate } from './messages.ts';
import { runBatches, type RunnerData } from './process/run-batches.ts';
import { supervise, type Parent } from './process/supervise.ts';

/*
 * The script of a process in which scripts of users run. Its first thread talks to the service, so that it hears and can tell whatever a
 * script does; its second has the engine.
 */

/** As Electron has it in its utility processes. */
interface ElectronPort {
  postMessage(message: FromIsolate): void;
  on(name: 'message', heard: (event: { readonly data: ToIsolate }) => void): void;
}

if (isMainThread) {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  supervise(parentOf(process), new URL(import.meta.url));
} else runBatches(parentPort!, workerData as RunnerData);

function parentOf(here: NodeJS.Process & { readonly parentPort?: ElectronPort }): Parent {
  const { parentPort: port } = here;
  if (port !== undefined)
    return {
      post: (message) => port.postMessage(message),
      onMessage: (heard) => port.on('message', ({ data }) => heard(data)),
      // Chromium ends it with the app.
      onGone: () => undefined,
    };
  return {
    post: (message) => void here.send?.(message),
    onMessage: (heard) => void here.on('message', (message: unknown) => heard(message as ToIsolate)),
    onGone: (gone) => void here.on('disconnect', gone),
  };
}
