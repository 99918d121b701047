import { useEffect } from 'react';
import { useDialog } from '../stores/dialog.ts';
import { actionOf } from '../stores/actions.ts';

/** Elements that use every key while focused. */
const OWN_KEYS = '[role="dialog"], [role="menu"], [role="listbox"]';
/** Where letters are typed. */
const TYPED_IN = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';
/** What was typed has an undo of its own. */
const UNDO_KEYS = ['mod+z', 'mod+shift+z'];

/** Runs registered actions by key, unless a dialog is open or the focused element uses the key. */
export function useActionKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || useDialog.getState().open) return;
      const action = actionOf(event);
      const target = event.target instanceof Element ? event.target : null;
      if (!action || target?.closest(OWN_KEYS)) return;
      // Letters are typed there.
      const { shortcut = '' } = action;
      const isTyped = !shortcut.startsWith('mod+') || UNDO_KEYS.includes(shortcut);
      if (isTyped && target?.closest(TYPED_IN)) return;
      event.preventDefault();
      action.run();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
