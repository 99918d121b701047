import { notifications, notificationsStore } from '@mantine/notifications';
import { parseRoute, type Route } from '../router.ts';

/** On which screen each notice is to be read. */
const placeOf = new Map<string, string>();

/** A screen, whatever part or state of it shows: a device's tabs are one. */
export function screenOf(route: Route): string {
  const project_id = 'project_id' in route ? route.project_id : '';
  const device_id = 'device_id' in route ? route.device_id : '';
  return [route.screen, project_id, device_id].join(' ');
}

/** Says that something is done, on the screen that is shown now or about to be: whoever leaves it has seen it. */
export function sayDone(title: string, message: string): void {
  const id = notifications.show({ title, message, color: 'teal' });
  placeOf.set(id, screenOf(parseRoute(window.location.hash)));
}

/** Takes away what was said on other screens than this one. */
export function leaveNotices(screen: string): void {
  for (const { id = '' } of notificationsStore.getState().notifications) {
    if (placeOf.get(id) === screen) continue;
    placeOf.delete(id);
    notifications.hide(id);
  }
}
