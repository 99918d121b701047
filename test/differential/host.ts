import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess, type ServiceProcess } from '../helpers/service-process.ts';

/** The built program, as people run it. */
const CLI = join(import.meta.dirname, '../../out/main/cli.js');
const ARGS = ['--tls', 'off', '--mqtt-port', 'off'];

/** A service of its own on a folder of its own, which outlives its processes. */
export class Host {
  readonly #folder: string;
  #service: ServiceProcess;

  private constructor(folder: string, service: ServiceProcess) {
    this.#folder = folder;
    this.#service = service;
  }

  static async start(): Promise<Host> {
    const folder = await mkdtemp(join(tmpdir(), 'fieldbench-differential-'));
    return new Host(folder, await start(folder));
  }

  get service(): ServiceProcess {
    return this.#service;
  }

  /** Ends it in order and starts it again. Rejects where it does not end well. */
  async restart(): Promise<void> {
    const code = await this.#service.stop();
    if (code !== 0) throw new Error(`SIGTERM ended the service with ${code}:\n${this.#service.output()}`);
    this.#service = await start(this.#folder);
  }

  async kill(): Promise<void> {
    await this.#service.kill();
  }

  async startAgain(): Promise<void> {
    this.#service = await start(this.#folder);
  }

  /** Names in the folder of records. */
  names(): Promise<string[]> {
    return readdir(join(this.#folder, 'data'));
  }

  /** Ends it at once and removes everything. */
  async close(): Promise<void> {
    await this.#service.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const start = (directory: string) => startServiceProcess({ cli: CLI, directory, args: ARGS });
