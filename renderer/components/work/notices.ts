import { notifications, notificationsStore } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { parseRoute, placeOf } from '../../router.ts';

/** On which screen each notice is to be read; null: on any, until somebody closes it. */
const placeOfNotice = new Map<string, string | null>();

/** Shows a success notice on the present or next screen; it goes when that is left. */
export function sayDone(title: string, message: string): void {
  const id = notifications.show({ title, message, color: 'teal' });
  placeOfNotice.set(id, placeOf(parseRoute(window.location.hash)));
}

/** Shows the failure of something that is not on the screen; the notice stays until it is closed. Returns its id. */
export function sayFailed(title: string, message: ReactNode): string {
  const id = notifications.show({ title, message, color: 'danger', autoClose: false });
  placeOfNotice.set(id, null);
  return id;
}

/** Keeps a notice on a change of screen. */
export function onAnyScreen(id: string): void {
  placeOfNotice.set(id, null);
}

/** Takes away what was said on other screens than the one of this place (`placeOf`). */
export function leaveNotices(place: string): void {
  for (const { id = '' } of notificationsStore.getState().notifications) {
    const own = placeOfNotice.get(id);
    if (own === place || own === null) continue;
    placeOfNotice.delete(id);
    notifications.hide(id);
  }
}
