import { EventEmitter } from 'node:events';
import type { Session as CdpSession } from './chromium.ts';

type Check = (contents: unknown, permission: string, origin: string, details: object) => boolean;
type Answer = (granted: boolean) => void;
type Ask = (
  contents: unknown,
  permission: string,
  answer: Answer,
  details: { requestingUrl: string },
) => void;

/**
 * Permissions by Electron's name, and the names that Chromium has for each. What Chromium without a window asks nobody for
 * is in occasions.ts.
 */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  'clipboard-read': ['clipboard-read'],
  'clipboard-sanitized-write': ['clipboard-write'],
  'display-capture': ['display-capture'],
  geolocation: ['geolocation'],
  'idle-detection': ['idle-detection'],
  keyboardLock: ['keyboard-lock'],
  'local-fonts': ['local-fonts'],
  media: ['camera', 'microphone'],
  midi: ['midi'],
  notifications: ['notifications'],
  sensors: ['accelerometer', 'gyroscope', 'magnetometer', 'ambient-light-sensor'],
  'speaker-selection': ['speaker-selection'],
  'storage-access': ['storage-access'],
  'top-level-storage-access': ['top-level-storage-access'],
  'window-management': ['window-management'],
};

/** electron.session.defaultSession: who may do what. Without handlers everything is granted, as in Electron. */
export class Session extends EventEmitter {
  #check: Check | null = null;
  #ask: Ask | null = null;

  setPermissionCheckHandler(handler: Check | null): void {
    this.#check = handler;
  }

  setPermissionRequestHandler(handler: Ask | null): void {
    this.#ask = handler;
  }

  /** Whether a page at this URL gets the permission: both handlers have to agree. */
  async allows(contents: unknown, permission: string, url: string): Promise<boolean> {
    if (this.#check && !this.#check(contents, permission, url, {})) return false;
    const ask = this.#ask;
    return !ask || new Promise((resolve) => ask(contents, permission, resolve, { requestingUrl: url }));
  }

  /** Settles for an origin of Chromium's what it asks nobody for when it comes up. */
  async settle(browser: Pick<CdpSession, 'send'>, contents: unknown, url: string, origin: string) {
    for (const [permission, names] of Object.entries(PERMISSIONS)) {
      const setting = (await this.allows(contents, permission, url)) ? 'granted' : 'denied';
      for (const name of names)
        await browser.send('Browser.setPermission', { permission: { name }, setting, origin });
    }
  }
}
