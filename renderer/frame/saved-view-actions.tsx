import { IconBookmarkPlus } from '@tabler/icons-react';
import { addressOf, currentRoute } from '../router.ts';
import { useActions } from '../stores/actions.ts';
import { openDialog } from '../stores/dialog.ts';

/** As a page's title ends. */
const APP = / – Fieldbench$/;

/** Actions that save the state of any screen by name. */
export function SavedViewActions() {
  useActions([
    {
      label: 'Save this view…',
      icon: IconBookmarkPlus,
      shortcut: 'mod+s',
      needs: 'views.create',
      // By now the screen may show what its address is still to say.
      run: () =>
        openDialog({
          kind: 'save-view',
          address: addressOf(currentRoute()),
          name: document.title.replace(APP, ''),
        }),
    },
  ]);
  return null;
}
