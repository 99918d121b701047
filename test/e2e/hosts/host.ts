import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import type { Ready } from '../program.ts';

export type HostName = 'console' | 'stand-in' | 'electron' | 'installed';

/** The app, running in one of its hosts. */
export interface RunningApp {
  readonly page: Page;
  readonly ready: Ready;
  /** The command that started it, and the environment that it needs. */
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** What it has said until now. */
  readonly output?: () => string;
  /** Other services over the same database. */
  readonly others?: readonly Ready[];
}

export interface StartOptions {
  readonly files: AppFiles;
  /** Gets the page before the app's own script runs in it, or as early as the host can. */
  readonly watch: (page: Page) => void;
  /** What was started is ended by this, in reverse order, also where the rest does not start. */
  readonly started: AsyncDisposableStack;
  /** The browser that tests share, for hosts that bring none. */
  readonly browser: () => Promise<Browser>;
}

/** Starts the built app. */
export type StartApp = (options: StartOptions) => Promise<RunningApp>;

/** Built by `npm run build`; paths are relative to the project. */
export const MAIN = 'out/main/main.js';
export const CLI = 'out/main/cli.js';

/** What one run of the app keeps on disk. */
export interface AppFiles {
  readonly dataDirectory: string;
  readonly readyFile: string;
  /** Where the desktop app keeps its window's own files, on Linux. */
  readonly config: string;
  readonly vault: Vault;
  /** Flags of rigs, with blanks between them. */
  readonly rig: string;
  /** Whether nothing of it is on disk but the ready file. */
  readonly inMemory: boolean;
  /** The flags that lead it to a database; none where it keeps everything in its data directory. */
  readonly store: readonly string[];
}

/** Where an app keeps its secrets: in memory, or in files of its data directory. */
export type Vault = 'memory' | 'file';

export function appFiles(
  folder: string,
  vault: Vault = 'memory',
  store: readonly string[] = [],
  rig = '',
  inMemory = false,
): AppFiles {
  return {
    dataDirectory: join(folder, 'data'),
    readyFile: join(folder, 'ready.json'),
    config: join(folder, 'config'),
    vault,
    rig,
    inMemory,
    store,
  };
}

/** A desktop app's environment: its profile goes with the test, and not to the user's own. */
export const appEnv = ({ config }: AppFiles): NodeJS.ProcessEnv => ({
  ...process.env,
  XDG_CONFIG_HOME: config,
});

/** Secrets that are not the user's, and free ports, so that runs neither meet each other nor the user's own. */
export function appFlags({ dataDirectory, readyFile, vault, store, rig, inMemory }: AppFiles): string[] {
  // A database brings a vault of its own.
  const kept = ['--data', dataDirectory, ...(store.length > 0 ? store : ['--vault', vault])];
  const places = [...(inMemory ? ['--in-memory'] : kept), '--ready-file', readyFile];
  const flags = rig.split(' ').filter((word) => word !== '');
  return [...places, ...flags, '--port', '0', '--http-port', '0', '--mqtt-port', '0'];
}
