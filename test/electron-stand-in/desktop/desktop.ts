import { PowerMonitor } from './power-monitor.ts';

/*
 * The parts of Electron that only a person at a desktop would see. Nobody is there: what would be shown is said on
 * stderr, and nothing outside of the app is opened.
 */

export const say = (text: string) => void process.stderr.write(`${text}\n`);

export const shell = {
  openPath(path: string) {
    say(`would open ${path}`);
    return Promise.resolve('');
  },
  showItemInFolder: (path: string) => say(`would show ${path}`),
};

export const crashReporter = {
  start({ uploadToServer = true }: { readonly uploadToServer?: boolean }) {
    if (uploadToServer) throw new Error('submitURL must be specified when uploadToServer is true');
  },
};

/** Clipboard that only takes. */
export const clipboard = {
  writeText(text: string) {
    say(`would copy ${text}`);
    return Promise.resolve();
  },
};

export const powerMonitor = new PowerMonitor();

export const powerSaveBlocker = {
  start(type: string) {
    if (type !== 'prevent-app-suspension' && type !== 'prevent-display-sleep')
      throw new TypeError(`Invalid power save blocker type: ${type}`);
    say(`would ${type}`);
    return 0;
  },
};

/** electron.screen: one display, with a bar of the desktop at its top. */
export function createScreen(isReady: () => boolean) {
  const display = () => {
    if (!isReady()) throw new Error("The 'screen' module can't be used before the app 'ready' event");
    return { workArea: { x: 0, y: 30, width: 1920, height: 1050 } };
  };
  return { getDisplayMatching: (_bounds: object) => display(), getPrimaryDisplay: display };
}

/** electron.net: Node's fetch, by its own authorities and without a proxy. */
export const createNet = (isReady: () => boolean) => ({
  fetch(url: string, init?: RequestInit) {
    if (!isReady()) throw new Error('net module can only be used after app is ready');
    return fetch(url, init);
  },
});
