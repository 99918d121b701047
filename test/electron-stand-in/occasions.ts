/*
 * What a page does for which Electron asks the app: its permission for something, or what a key of the menu does. This
 * runs in the page's world, as text (worlds.ts); its events go through the isolated world.
 */

export const OCCASION = '__standInOccasion';

export type Occasion =
  | {
      readonly kind: 'context-menu';
      readonly x: number;
      readonly y: number;
      readonly isEditable: boolean;
      readonly selectionText: string;
    }
  | { readonly kind: 'permission'; readonly id: number; readonly permission: string }
  | {
      readonly kind: 'key';
      readonly keyCode: number;
      readonly control: boolean;
      readonly shift: boolean;
      readonly alt: boolean;
      readonly meta: boolean;
    };

/** Must run before any script of the page. */
export function heedOccasions(secret: string): void {
  const asked = new Map<number, () => void>();
  let last = 0;
  const tell = (detail: Occasion) =>
    void window.dispatchEvent(new CustomEvent(`${secret}-occasion`, { detail }));

  window.addEventListener(`${secret}-granted`, (event) => {
    const { id } = (event as CustomEvent<{ id: number }>).detail;
    asked.get(id)?.();
    asked.delete(id);
  });

  // Chromium without a window asks nobody for these. What Electron refuses never settles
  // (electron/shell/browser/api/electron_api_web_contents.cc, OnEnterFullscreenModeForTab).
  const guard = (name: 'requestFullscreen' | 'requestPointerLock', permission: string) => {
    const original = Element.prototype[name] as (...args: unknown[]) => Promise<void>;
    Object.defineProperty(Element.prototype, name, {
      value: function (this: Element, ...args: unknown[]) {
        const id = ++last;
        return new Promise<void>((resolve, reject) => {
          asked.set(id, () => void original.apply(this, args).then(resolve, reject));
          tell({ kind: 'permission', id, permission });
        });
      },
    });
  };
  guard('requestFullscreen', 'fullscreen');
  guard('requestPointerLock', 'pointerLock');

  // So is a menu at the pointer: Chromium without a window has none.
  window.addEventListener('contextmenu', (event) => {
    if (event.defaultPrevented) return;
    const field = event.target instanceof Element ? event.target.closest('input, textarea') : null;
    const { clientX: x, clientY: y } = event;
    const selectionText = String(window.getSelection());
    tell({ kind: 'context-menu', x, y, isEditable: field !== null, selectionText });
  });

  // A key is the menu's where the page did not prevent what it does by default: known once all have heard it.
  window.addEventListener(
    'keydown',
    (event) => {
      const { keyCode, ctrlKey: control, shiftKey: shift, altKey: alt, metaKey: meta } = event;
      // In a field Chromium edits by them itself; of what a script makes up no system hears.
      const isField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
      const edits = isField && (control || meta) && 'acvxyz'.includes(event.key.toLowerCase());
      setTimeout(() => {
        if (!event.defaultPrevented && !edits && event.isTrusted)
          tell({ kind: 'key', keyCode, control, shift, alt, meta });
      });
    },
    true,
  );
}
