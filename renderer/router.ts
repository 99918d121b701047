import { useSyncExternalStore } from 'react';

export const DEVICE_TABS = ['chart', 'table', 'keys', 'credentials'] as const;
export type DeviceTab = (typeof DEVICE_TABS)[number];

/** A screen and what it shows. The address keeps it behind "#", so that any server of plain files can hold the app. */
export type Route =
  | { readonly screen: 'projects' }
  | { readonly screen: 'devices'; readonly project_id: string }
  | {
      readonly screen: 'device';
      readonly project_id: string;
      readonly device_id: string;
      readonly tab: DeviceTab;
    }
  | { readonly screen: 'api-keys' }
  | { readonly screen: 'service' }
  | { readonly screen: 'unknown'; readonly address: string };

/** Reads an address such as `#/projects/1/devices/2/table`. */
export function parseRoute(hash: string): Route {
  const unknown: Route = { screen: 'unknown', address: hash };
  const parts = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decodePart);
  if (parts.includes(null)) return unknown;
  const [noun = '', project_id, devicesWord, device_id, tab = 'chart', ...rest] = parts as string[];
  if (rest.length > 0) return unknown;
  if (noun === 'projects' && project_id !== undefined) {
    if (devicesWord === undefined) return { screen: 'devices', project_id };
    if (devicesWord !== 'devices' || device_id === undefined || !isDeviceTab(tab)) return unknown;
    return { screen: 'device', project_id, device_id, tab };
  }
  if (project_id !== undefined) return unknown;
  if (noun === '' || noun === 'projects') return { screen: 'projects' };
  if (noun === 'api-keys' || noun === 'service') return { screen: noun };
  return unknown;
}

/** The address of a screen. */
export function hrefTo(route: Route): string {
  switch (route.screen) {
    case 'projects':
      return '#/';
    case 'devices':
      return `#/projects/${encodeURIComponent(route.project_id)}`;
    case 'device': {
      const tab = route.tab === 'chart' ? '' : `/${route.tab}`;
      return `#/projects/${encodeURIComponent(route.project_id)}/devices/${encodeURIComponent(route.device_id)}${tab}`;
    }
    case 'api-keys':
    case 'service':
      return `#/${route.screen}`;
    case 'unknown':
      return route.address;
  }
}

export function goTo(route: Route): void {
  window.location.hash = hrefTo(route);
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(hearHash, () => window.location.hash);
  return parseRoute(hash);
}

function hearHash(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

function isDeviceTab(text: string): text is DeviceTab {
  return (DEVICE_TABS as readonly string[]).includes(text);
}

function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
