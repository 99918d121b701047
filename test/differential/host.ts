import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess, type ServiceProcess } from '../helpers/service/service-process.ts';

/** The built program, as people run it. */
const CLI = [process.execPath, join(import.meta.dirname, '../../out/main/cli.js')] as const;
const ARGS = ['--tls', 'off', '--mqtt-port', 'off'];

/** A service on a folder of its own, which outlives its processes. */
export interface Host {
  readonly fetch: ServiceProcess['fetch'];
  /** What the running process wrote. */
  output(): string;
  /** Ends it in order and starts it again. Rejects where it does not end well. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  startAgain(): Promise<void>;
  /** Names in the folder of records. */
  names(): Promise<string[]>;
  /** Ends it at once and removes everything. */
  close(): Promise<void>;
}

export async function startHost(): Promise<Host> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-differential-'));
  const start = () => startServiceProcess({ cli: CLI, directory: folder, args: ARGS });
  let service = await start();
  return {
    fetch: (path, init) => service.fetch(path, init),
    output: () => service.output(),
    async restart() {
      const code = await service.stop();
      if (code !== 0) throw new Error(`SIGTERM ended the service with ${code}:\n${service.output()}`);
      service = await start();
    },
    kill: () => service.kill(),
    async startAgain() {
      service = await start();
    },
    names: () => readdir(join(folder, 'data')),
    async close() {
      await service.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
