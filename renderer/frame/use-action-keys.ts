import { useEffect } from 'react';
import { useDialog } from '../stores/dialog.ts';
import { actionOf } from '../stores/actions.ts';

/** Elements that use every key while focused. */
const OWN_KEYS = '[role="dialog"], [role="menu"], [role="listbox"]';
/** Where letters are typed. */
const TYPED_IN = 'input, textarea, select, [contenteditable="true"]';

/** Runs registered actions by key, unless a dialog is open or the focused element uses the key. */
export function useActionKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || useDialog.getState().open) return;
      const action = actionOf(event);
      const target = event.target instanceof Element ? event.target : null;
      if (!action || target?.closest(OWN_KEYS)) return;
      // Letters are typed there, and what was typed has an undo of its own.
      const isTyped = action.shortcut?.startsWith('mod+') === false || action.shortcut === 'mod+z';
      if (isTyped && target?.closest(TYPED_IN)) return;
      event.preventDefault();
      action.run();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
