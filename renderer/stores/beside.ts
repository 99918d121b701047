import { currentRoute, goTo, type Route } from '../router.ts';

/** Goes to a device; from another one of its project with the same tab, keys and span, so that one looks the same way. */
export function goToDevice(project_id: string, device_id: string): void {
  const now = currentRoute();
  const isBeside = now.screen === 'device' && now.project_id === project_id;
  const first: Route = { screen: 'device', project_id, device_id, tab: 'chart' };
  goTo(isBeside ? { ...now, device_id } : first);
}
