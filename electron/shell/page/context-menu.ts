import { Menu, type ContextMenuParams, type MenuItemConstructorOptions, type WebContents } from 'electron';

type Pointed = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>;

/** Opens a menu where a person asks for one: Electron has none of its own, as a browser has. For every page there will be. */
export function offerContextMenus(app: {
  on(event: 'web-contents-created', listener: (event: unknown, contents: WebContents) => void): unknown;
}): void {
  app.on('web-contents-created', (_event, contents) =>
    contents.on('context-menu', (_asked, pointed) => {
      const items = itemsFor(pointed);
      if (items.length === 0) return;
      const { frame, x, y, menuSourceType: sourceType } = pointed;
      Menu.buildFromTemplate(items).popup({ ...(frame && { frame }), x, y, sourceType });
    }),
  );
}

/** The system's own items for what is pointed at: a field, or text that is selected. */
function itemsFor({ isEditable, selectionText, editFlags }: Pointed): MenuItemConstructorOptions[] {
  const { canCut, canCopy, canPaste, canSelectAll } = editFlags;
  if (isEditable)
    return [
      { role: 'cut', enabled: canCut },
      { role: 'copy', enabled: canCopy },
      { role: 'paste', enabled: canPaste },
      { type: 'separator' },
      { role: 'selectAll', enabled: canSelectAll },
    ];
  return selectionText.trim() === '' ? [] : [{ role: 'copy', enabled: canCopy }];
}
