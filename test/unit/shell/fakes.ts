import { EventEmitter } from 'node:events';

/** What the shell asks of Electron's app, with what was asked in the order in which it was. */
export class FakeApp extends EventEmitter {
  readonly asked: unknown[][] = [];
  ready = true;
  isPackaged = true;
  onlyInstance = true;
  readonly paths: Record<string, string> = {};

  quit(): void {
    this.asked.push(['quit']);
  }

  exit(code?: number): void {
    this.asked.push(['exit', code]);
  }

  relaunch(options?: object): void {
    this.asked.push(options === undefined ? ['relaunch'] : ['relaunch', options]);
  }

  whenReady(): Promise<void> {
    this.asked.push(['when ready']);
    this.ready = true;
    return Promise.resolve();
  }

  isReady(): boolean {
    return this.ready;
  }

  requestSingleInstanceLock(data?: object): boolean {
    this.asked.push(['lock', data]);
    return this.onlyInstance;
  }

  getPath(name: string): string {
    const path = this.paths[name];
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }

  setPath(name: string, path: string): void {
    this.paths[name] = path;
  }

  setName(name: string): void {
    this.asked.push(['name', name]);
  }

  setAppUserModelId(id: string): void {
    this.asked.push(['model id', id]);
  }
}

/** An event that can be prevented, and says whether it was. */
export function preventable() {
  return {
    prevented: false,
    preventDefault() {
      this.prevented = true;
    },
  };
}

/** Lines of a log. */
export function logged() {
  const lines: string[] = [];
  const write = (message: string, error?: unknown) =>
    void lines.push(error instanceof Error ? `${message}: ${error.message}` : message);
  return { lines, log: { info: write, warn: write, error: write } };
}

/** Lets everything run that waits for nothing but its turn. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
