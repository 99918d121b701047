import { EventEmitter } from 'node:events';
import { PowerMonitor } from './power-monitor.ts';
import { isOn } from './switches.ts';

/*
 * The parts of Electron that only a person at a desktop would see. Nobody is there: what would be shown is said on
 * stderr, a question is answered with its way out, and nothing outside of the app is opened.
 */

const say = (text: string) => void process.stderr.write(`${text}\n`);

export const dialog = {
  showErrorBox: (title: string, content: string) => say(`${title}\n${content}`),
  showMessageBox(...args: unknown[]) {
    const options = args.at(-1) as {
      message: string;
      detail?: string;
      buttons?: string[];
      cancelId?: number;
      defaultId?: number;
    };
    const wayOut = options.cancelId ?? options.defaultId ?? 0;
    const response = isOn('other-button') ? 1 - wayOut : wayOut;
    say(`${options.message}\n${options.detail ?? ''}\n→ ${options.buttons?.[response] ?? 'OK'}`);
    return Promise.resolve({ response, checkboxChecked: false });
  },
};

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

export const powerMonitor = new PowerMonitor();

export const powerSaveBlocker = {
  start(type: string) {
    if (type !== 'prevent-app-suspension' && type !== 'prevent-display-sleep')
      throw new TypeError(`Invalid power save blocker type: ${type}`);
    say(`would ${type}`);
    return 0;
  },
};

export const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseDarkColors: false,
  themeSource: 'system',
});

interface MenuItem {
  readonly role?: string;
  readonly type?: string;
  readonly label?: string;
  readonly submenu?: readonly MenuItem[];
}

export class Menu {
  static #application: Menu | null = null;
  readonly items: readonly MenuItem[];

  constructor(items: readonly MenuItem[] = []) {
    this.items = items;
  }

  static buildFromTemplate(template: readonly MenuItem[]): Menu {
    for (const { role, type, label, submenu } of template) {
      if (role === undefined && type !== 'separator' && !label) {
        throw new TypeError('Invalid template for MenuItem: must have one of label, role or type');
      }
      if (submenu) Menu.buildFromTemplate(submenu);
    }
    return new Menu(template);
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#application;
  }
}
