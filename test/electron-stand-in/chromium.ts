import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession } from '@playwright/test';
import { findChromium } from '../../scripts/lib/chromium.mjs';

/** The Chrome DevTools Protocol to the browser or to one page. */
export type Session = Pick<CDPSession, 'send' | 'on' | 'once'>;

export interface Chromium {
  /** The browser's own session, and its pages' by their id. */
  session(id?: string): Session;
  /** Resolves when the browser is gone; rejects where there is none. */
  readonly gone: Promise<unknown>;
  /** Ends it, so that its profile is whole and let go of. */
  close(): Promise<void>;
}

interface Incoming {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const FLAGS = [
  '--headless=new',
  // Ours is the pipe: Chromium ends when it breaks, however this process ends. Tests attach by the port.
  '--remote-debugging-pipe',
  '--remote-debugging-port=0',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-startup-window',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Electron has no popup blocker either; the app's own handler refuses.
  '--disable-popup-blocking',
  '--disable-extensions',
  '--disable-dev-shm-usage',
  '--disable-backgrounding-occluded-windows',
  '--force-color-profile=srgb',
  // The app's page comes from its own scheme. Of all networks only this machine is there, so that a test can put up a
  // server which nothing but the app's own policy keeps the page from.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  // Its question whether a page may reach this machine would be a second answer.
  '--disable-features=LocalNetworkAccessChecks',
];

const TOO_LATE =
  /navigated or closed|target crashed|cannot find context|context was destroyed|Invalid InterceptionId|Session with given id not found|No target with given id/i;

/**
 * Whether a command failed because what it was for went away while it was on its way: the page navigated, closed or
 * crashed, or took its request back. That can come before the event that tells of it.
 */
export function cameTooLate(error: unknown): boolean {
  return error instanceof Error && TOO_LATE.test(error.message);
}

/** Lets a command fail where it came too late, and only there. */
export function unlessTooLate(error: unknown): void {
  if (!cameTooLate(error)) throw error;
}

const SWAPPING = /Not attached to an active page/;
const SWAP_MS = 50;
const MOST_SWAPS = 100;

/** Reloads a page. While Chromium puts one document in the place of another there is none to reload; Electron's waits. */
export async function reloadOnceThere(page: Session): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await page.send('Page.reload');
      return;
    } catch (error) {
      const isSwapping = error instanceof Error && SWAPPING.test(error.message);
      if (!isSwapping || tries === MOST_SWAPS) throw error;
      await delay(SWAP_MS);
    }
}

/** How long Chromium may take to end. */
const CLOSE_MS = 5000;

/** Starts Chromium over a profile folder, which is made. */
export function startChromium(profile: string): Chromium {
  const executable = findChromium() ?? '/usr/bin/chromium';
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(executable, [...FLAGS, ...sandbox, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , , input, output] = child.stdio as [null, null, null, Writable, Readable];
  const sessions = new Map<string, EventEmitter>();
  const waiting = new Map<number, (answer: Incoming) => void>();
  let lastId = 0;

  const send = (sessionId: string, method: string, params: object = {}) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, ({ error, result }) => {
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result);
      });
      input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    });

  const receive = (message: Incoming) => {
    if (message.id !== undefined) {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    } else if (message.method !== undefined) {
      sessions.get(message.sessionId ?? '')?.emit(message.method, message.params);
    }
  };

  let rest = '';
  output.setEncoding('utf8').on('data', (part: string) => {
    const messages = (rest + part).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) receive(JSON.parse(message) as Incoming);
  });
  // A broken pipe is how the browser's end looks from here; `gone` says so to those who care.
  input.on('error', () => {});

  const gone = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });

  return {
    gone,
    async close() {
      const late = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS);
      send('', 'Browser.close').catch(() => child.kill('SIGKILL'));
      await gone;
      clearTimeout(late);
    },
    session(id = '') {
      const events = sessions.get(id) ?? new EventEmitter();
      sessions.set(id, events);
      return Object.assign(events, { send: send.bind(null, id) }) as unknown as Session;
    },
  };
}
