import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Ready } from '../program.ts';

export type HostName = 'console' | 'stand-in' | 'electron';

/** The app, running in one of its hosts. */
export interface RunningApp {
  readonly page: Page;
  readonly ready: Ready;
  /** The command that started it. */
  readonly command: readonly string[];
}

export interface StartOptions {
  readonly files: AppFiles;
  /** Gets the page before the app's own script runs in it, or as early as the host can. */
  readonly watch: (page: Page) => void;
  /** What was started is ended by this, in reverse order, also where the rest does not start. */
  readonly started: AsyncDisposableStack;
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
}

export function appFiles(folder: string): AppFiles {
  return { dataDirectory: join(folder, 'data'), readyFile: join(folder, 'ready.json') };
}

/** Secrets in memory and free ports, so that runs neither meet each other nor the user's own. */
export function appFlags({ dataDirectory, readyFile }: AppFiles): string[] {
  const places = ['--data', dataDirectory, '--ready-file', readyFile];
  return [...places, '--vault', 'memory', '--port', '0', '--http-port', '0'];
}
