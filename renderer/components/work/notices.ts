import { notifications, notificationsStore } from '@mantine/notifications';
import { parseRoute, placeOf } from '../../router.ts';

/** On which screen each notice is to be read. */
const placeOfNotice = new Map<string, string>();

/** Says that something is done, on the screen that is shown now or about to be: whoever leaves it has seen it. */
export function sayDone(title: string, message: string): void {
  const id = notifications.show({ title, message, color: 'teal' });
  placeOfNotice.set(id, placeOf(parseRoute(window.location.hash)));
}

/** Takes away what was said on other screens than the one of this place (`placeOf`). */
export function leaveNotices(place: string): void {
  for (const { id = '' } of notificationsStore.getState().notifications) {
    if (placeOfNotice.get(id) === place) continue;
    placeOfNotice.delete(id);
    notifications.hide(id);
  }
}
