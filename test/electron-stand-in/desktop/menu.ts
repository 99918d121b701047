import { isSameKey, parseAccelerator, type PressedKey } from './accelerator.ts';
import { say } from './desktop.ts';
import { ROLES, type InWindow, type Role } from './roles.ts';

export interface MenuItem {
  readonly role?: string;
  readonly type?: string;
  readonly label?: string;
  readonly accelerator?: string;
  readonly checked?: boolean;
  readonly visible?: boolean;
  readonly click?: (item: { readonly checked: boolean }, window?: object) => void;
  readonly submenu?: readonly MenuItem[];
}

/** electron.Menu. Its keys act as Electron's do: on what the page leaves of them. */
export class Menu {
  static #application: Menu | null = null;
  readonly items: readonly MenuItem[];

  constructor(items: readonly MenuItem[] = []) {
    this.items = items;
  }

  static buildFromTemplate(template: readonly MenuItem[]): Menu {
    for (const { role, type, label, accelerator, submenu } of template) {
      if (role === undefined && type !== 'separator' && !label) {
        throw new TypeError('Invalid template for MenuItem: must have one of label, role or type');
      }
      if (role !== undefined && roleOf(role) === undefined) throw new TypeError(`Unknown role: ${role}`);
      if (accelerator !== undefined) parseAccelerator(accelerator);
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

  /** At the pointer; what would be seen is said. */
  popup(): void {
    say(`a menu: ${this.items.flatMap(({ label, role }) => label ?? role ?? []).join(', ')}`);
  }

  /** Acts on a key that the page of a window has left. */
  press(key: PressedKey, at: InWindow): void {
    const item = inAll(this.items).find(({ accelerator = null, role }) => {
      const own = accelerator ?? roleOf(role)?.accelerator;
      return own !== undefined && isSameKey(parseAccelerator(own), key);
    });
    if (item) act(item, at);
  }

  /** Chooses an item by its label. */
  choose(label: string, at: InWindow): void {
    const item = inAll(this.items).find((one) => one.label === label);
    if (!item) throw new Error(`There is no ${label} in the menu`);
    act(item, at);
  }
}

function act({ click, role, checked = false }: MenuItem, at: InWindow): void {
  if (click) click({ checked: !checked }, at.window);
  else roleOf(role)?.act?.(at);
}

const roleOf = (role: string | undefined): Role | undefined =>
  role === undefined ? undefined : ROLES[role.toLowerCase()];

/** Items, and those in their submenus and in the ones that roles bring. */
const inAll = (items: readonly MenuItem[]): MenuItem[] =>
  items.flatMap((item) => [
    item,
    ...inAll(item.submenu ?? (roleOf(item.role)?.submenu ?? []).map((role) => ({ role }))),
  ]);
