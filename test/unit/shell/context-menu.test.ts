import { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { offerContextMenus } from '../../../electron/shell/page/context-menu.ts';

const opened = vi.hoisted(() => ({ menus: [] as unknown[][] }));
vi.mock('electron', () => ({
  Menu: {
    buildFromTemplate: (items: readonly MenuItemConstructorOptions[]) => ({
      popup: (at: object) =>
        opened.menus.push([at, items.flatMap(({ role, enabled }) => (role && enabled ? role : []))]),
    }),
  },
}));
beforeEach(() => void (opened.menus.length = 0));

const EVERYTHING = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };

/** What opens where a person asks for a menu at the pointer. */
function pointAt(pointed: object) {
  const app = new EventEmitter();
  const contents = new EventEmitter();
  offerContextMenus(app);
  app.emit('web-contents-created', {}, contents);
  const at = { frame: null, x: 3, y: 4, menuSourceType: 'keyboard' };
  contents.emit(
    'context-menu',
    {},
    { isEditable: false, selectionText: '', editFlags: EVERYTHING, ...at, ...pointed },
  );
  return opened.menus;
}

test('a field can be filled from the clipboard, with what it takes now', () => {
  expect(pointAt({ isEditable: true })).toEqual([
    [{ x: 3, y: 4, sourceType: 'keyboard' }, ['cut', 'copy', 'paste', 'selectAll']],
  ]);
  const editFlags = { canCut: false, canCopy: false, canPaste: true, canSelectAll: false };
  expect(pointAt({ isEditable: true, editFlags }).at(-1)?.[1]).toEqual(['paste']);
});

test('text that is selected can be copied, and where there is none no menu opens', () => {
  expect(pointAt({ selectionText: '7443' }).map(([, items]) => items)).toEqual([['copy']]);
  opened.menus.length = 0;
  expect(pointAt({ selectionText: ' \n' })).toEqual([]);
});
