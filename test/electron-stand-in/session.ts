import { EventEmitter } from 'node:events';

type Check = (contents: unknown, permission: string, origin: string, details: object) => boolean;
type Answer = (granted: boolean) => void;
type Ask = (
  contents: unknown,
  permission: string,
  answer: Answer,
  details: { requestingUrl: string },
) => void;

/** Permissions by Electron's name, and the names that Chromium has for each. */
export const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  'clipboard-read': ['clipboard-read'],
  'clipboard-sanitized-write': ['clipboard-write'],
  geolocation: ['geolocation'],
  'idle-detection': ['idle-detection'],
  media: ['camera', 'microphone'],
  midi: ['midi'],
  notifications: ['notifications'],
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
}
