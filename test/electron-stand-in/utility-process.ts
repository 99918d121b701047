import { fork as forkNode, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';

const port = fileURLToPath(new URL('./parent-port.ts', import.meta.url));

interface ForkOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly stdio?: 'ignore' | 'inherit';
  readonly serviceName?: string;
}

class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess;
  pid: number | undefined;

  constructor(script: string, args: readonly string[], { env, cwd, stdio = 'inherit' }: ForkOptions) {
    super();
    this.#child = forkNode(script, args, {
      // An archive is read in every process.
      execArgv: [...process.execArgv, '--import', port],
      env,
      cwd,
      serialization: 'advanced',
      stdio: ['ignore', stdio, stdio, 'ipc'],
    });
    this.#child.on('spawn', () => {
      this.pid = this.#child.pid;
      this.emit('spawn');
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.on('exit', (code, signal) => {
      this.pid = undefined;
      this.emit('exit', code ?? (signal === null ? 0 : 1));
    });
  }

  postMessage(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** SIGTERM, as Electron sends it. */
  kill(): boolean {
    return this.pid !== undefined && this.#child.kill();
  }
}

/** Before the app is ready there are none. */
export const createUtilityProcess = (isReady: () => boolean) => ({
  fork(script: string, args: readonly string[] = [], options: ForkOptions = {}): UtilityProcess {
    if (!isReady()) throw new Error('utilityProcess cannot be used before the app is ready.');
    return new UtilityProcess(script, args, options);
  },
});
