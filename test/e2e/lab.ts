import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi, type Api } from './api.ts';
import { appFiles, appFlags, CLI } from './hosts/host.ts';
import { startProgram, type Ready } from './program.ts';

/** A service on what stands for another machine: a program of its own, with its own authority. */
export interface Lab {
  readonly ready: Ready;
  readonly api: Api;
  stop(): Promise<void>;
  /** Brings it back, where it was and with what it had, with further flags. */
  start(...flags: readonly string[]): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startLab(): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-lab-'));
  const files = appFiles(folder, 'file');
  const command = [process.execPath, CLI, 'serve', ...appFlags(files)];
  let program = startProgram(command);
  const ready = await program.ready(files.readyFile);
  const ports = [ready.base_url, ready.http_url ?? ''].map((url) => new URL(url).port);
  let runs = true;
  const stop = async () => {
    if (runs) await program.stop();
    runs = false;
  };
  return {
    ready,
    api: createApi(ready),
    stop,
    async start(...flags) {
      const same = ['--port', ports[0] ?? '', '--http-port', ports[1] ?? ''];
      program = startProgram([...command, ...same, ...flags]);
      await program.ready(files.readyFile);
      runs = true;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
