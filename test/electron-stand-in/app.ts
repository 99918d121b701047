import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { startChromium, type Chromium } from './chromium.ts';
import { createEvent } from './event.ts';
import { InstanceLock } from './lock.ts';
import { isOn } from './switches.ts';

/** What the app must close when it quits; browser-window.ts fills it. */
export interface Closable {
  close(): void;
  isDestroyed(): boolean;
  once(event: 'closed', listener: () => void): unknown;
}

/** electron.app: the life of the program. */
export class App extends EventEmitter {
  readonly isPackaged = isOn('packaged');
  readonly windows = new Set<Closable>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #paths = new Map<string, string>();
  readonly #lock = new InstanceLock();
  readonly #package: { readonly name: string; readonly version: string };
  readonly #appPath: string;
  #name: string | null = null;
  #chromium: Chromium | null = null;
  #isReady = false;
  #quitting = false;
  #exiting = false;

  /** `entry` is the script that Electron would be given. */
  constructor(entry: string) {
    super();
    this.#appPath = findPackage(dirname(resolve(entry)));
    this.#package = JSON.parse(readFileSync(join(this.#appPath, 'package.json'), 'utf8')) as never;
  }

  /** What Electron does once the main script has run: not before, so that a script that awaits it at its top hangs. */
  start(): void {
    if (this.#exiting) return;
    // Chromium itself turns the first of each into a quit, and leaves the next one to the system, which ends the process
    // (electron/shell/browser/electron_browser_main_parts_posix.cc). Its handlers take the place of those that the app has
    // by now; one that the app sets later takes theirs.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.removeAllListeners(signal);
      process.once(signal, () => {
        if (process.listenerCount(signal) === 0) this.quit();
      });
    }
    liveOnAfterErrors();
    this.#chromium = startChromium(join(this.getPath('userData'), 'Chromium'));
    void this.#chromium.gone.then((how) => this.#crash(`Chromium ended (${String(how)}).`), this.#crash);
    void this.#chromium
      .session()
      .send('Browser.getVersion')
      .then(() => this.#becomeReady(), this.#crash);
  }

  #becomeReady(): void {
    this.#isReady = true;
    this.#ready.resolve();
    this.emit('ready', createEvent({}), {});
  }

  readonly #crash = (reason: unknown) => {
    if (this.#exiting) return;
    process.stderr.write(`electron stand-in: ${String(reason)}\n`);
    process.exit(1);
  };

  /** The browser behind the windows; there is none before the app is ready. */
  get chromium(): Chromium {
    if (!this.#chromium || !this.#isReady) throw new Error('Cannot create BrowserWindow before app is ready');
    return this.#chromium;
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  /** Emits before-quit, closes the windows, then will-quit and quit; each of the first two can be prevented. */
  quit(): void {
    const before = createEvent({});
    this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    this.#quitting = true;
    for (const window of this.windows) window.close();
    this.#quitWithoutWindows();
  }

  /** Called whenever a window is gone. */
  windowClosed(window: Closable): void {
    this.windows.delete(window);
    if (this.windows.size > 0) return;
    if (this.#quitting) this.#quitWithoutWindows();
    else if (!this.emit('window-all-closed')) this.quit();
  }

  #quitWithoutWindows(): void {
    if (this.windows.size > 0) return;
    const will = createEvent({});
    this.emit('will-quit', will);
    if (will.defaultPrevented) this.#quitting = false;
    else this.#end(0);
  }

  /** Before the loop runs, the process is gone at once (electron/shell/browser/browser.cc, ExitWithCode). */
  exit(code = 0): void {
    if (!this.#chromium) process.exit(code);
    this.#end(code);
  }

  /** As in Electron, what was to be said in this turn of the loop still runs. */
  #end(code: number): void {
    if (this.#exiting) return;
    this.#exiting = true;
    this.emit('quit', createEvent({}), code);
    // Electron tells Node's own listeners now (electron/lib/browser/init.ts), and not once more when the process ends.
    process.emit('exit', code);
    process.removeAllListeners('exit');
    if (!this.#chromium) process.exit(code);
    void this.#chromium.close().then(() => process.exit(code));
  }

  requestSingleInstanceLock(data?: unknown): boolean {
    // Chromium sorts the words and adds some of its own (electron/docs/api/app.md).
    const argv = [...process.argv.toSorted(), '--allow-file-access-from-files'];
    const visit = { argv, cwd: process.cwd(), data };
    return this.#lock.acquire(this.getPath('userData'), visit, (other) => {
      this.emit('second-instance', createEvent({}), other.argv, other.cwd, other.data);
    });
  }

  getPath(name: string): string {
    const known = this.#paths.get(name);
    if (known !== undefined) return known;
    const appData = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
    const defaults: Record<string, string> = {
      home: homedir(),
      temp: tmpdir(),
      appData,
      userData: join(appData, this.getName()),
      exe: process.execPath,
      // In the profile (electron/shell/app/electron_main_delegate.cc, DIR_CRASH_DUMPS).
      crashDumps: join(this.#paths.get('userData') ?? join(appData, this.getName()), 'Crashpad'),
    };
    const path = defaults[name];
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }

  setPath(name: string, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    if (!existsSync(path)) throw new Error(`Failed to set '${name}' path: ${path} does not exist`);
    if (name === 'userData' && this.#chromium)
      throw new Error('userData must be set before the app is ready');
    this.#paths.set(name, path);
  }

  setAppLogsPath(path = join(this.getPath('userData'), 'logs')): void {
    mkdirSync(path, { recursive: true });
    this.#paths.set('logs', path);
  }

  /**
   * The command that follows this process when it ends; said rather than started. From an AppImage nothing does: the
   * program lies in a mount that goes with the process (electron-builder 1727).
   */
  relaunch({ args = process.argv.slice(1) }: { readonly args?: readonly string[] } = {}): void {
    const said =
      process.env['APPIMAGE'] === undefined
        ? 'would start again'
        : 'cannot start again from a mount that is gone';
    this.once('quit', () => process.stderr.write(`${said} with ${JSON.stringify(args)}\n`));
  }

  /** On a Mac and on Windows alone (electron/docs/api/app.md). */
  setLoginItemSettings({ openAtLogin }: { readonly openAtLogin: boolean }): void {
    process.stderr.write(`would ${openAtLogin ? '' : 'not '}open at login\n`);
  }

  getLoginItemSettings(): { readonly openAtLogin: boolean } {
    return { openAtLogin: false };
  }

  getAppPath(): string {
    return this.#appPath;
  }

  getName(): string {
    return this.#name ?? this.#package.name;
  }

  setName(name: string): void {
    this.#name = name;
  }

  getVersion(): string {
    return this.#package.version;
  }
}

function findPackage(folder: string): string {
  try {
    readFileSync(join(folder, 'package.json'));
    return folder;
  } catch {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The app has no package.json.');
    return findPackage(parent);
  }
}

/**
 * Electron shows a box for an exception that nobody caught, and a warning for a rejection, and goes on; both unless the
 * app listens itself (electron/lib/browser/init.ts, electron/shell/browser/electron_browser_main_parts.cc).
 */
function liveOnAfterErrors(): void {
  const tell = (event: 'uncaughtException' | 'unhandledRejection', title: string) =>
    process.on(event, (error: unknown) => {
      if (process.listenerCount(event) > 1) return;
      process.stderr.write(`${title}\n${error instanceof Error ? error.stack : String(error)}\n`);
    });
  tell('uncaughtException', 'A JavaScript error occurred in the main process');
  tell('unhandledRejection', 'UnhandledPromiseRejectionWarning');
}
