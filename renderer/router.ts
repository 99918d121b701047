import { useSyncExternalStore } from 'react';
import { chartAddressText, parseChartAddress, type ChartAddress } from './chart/address.ts';

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
      /** What the chart shows, also while another tab is open; absent: as at first. */
      readonly chart?: ChartAddress;
    }
  | { readonly screen: 'api-keys' }
  | { readonly screen: 'service' }
  | { readonly screen: 'unknown'; readonly address: string };

/** Reads an address such as `#/projects/1/devices/2/table`. */
export function parseRoute(hash: string): Route {
  const unknown: Route = { screen: 'unknown', address: hash };
  const [path = '', ...query] = hash.split('?');
  const parts = path
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decodePart);
  if (parts.includes(null)) return unknown;
  const [noun = '', project_id, devicesWord, device_id, tab = 'chart', ...rest] = parts as string[];
  if (rest.length > 0) return unknown;
  if (noun === 'projects' && project_id !== undefined) {
    if (devicesWord === undefined) return { screen: 'devices', project_id };
    if (devicesWord !== 'devices' || device_id === undefined || !isDeviceTab(tab)) return unknown;
    const chart = parseChartAddress(query.join('?'));
    return {
      screen: 'device',
      project_id,
      device_id,
      tab,
      ...(Object.keys(chart).length > 0 && { chart }),
    };
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
      const chart = route.chart ? chartAddressText(route.chart) : '';
      return `#/projects/${encodeURIComponent(route.project_id)}/devices/${encodeURIComponent(route.device_id)}${tab}${chart && `?${chart}`}`;
    }
    case 'api-keys':
    case 'service':
      return `#/${route.screen}`;
    case 'unknown':
      return route.address;
  }
}

export function goTo(route: Route): void {
  writeAddress();
  window.location.hash = hrefTo(route);
}

/** An address that is still to be written; browsers let a page write only so many a second. */
let waiting: { readonly href: string; readonly timer: ReturnType<typeof setTimeout> } | null = null;
const WRITE_REST_MS = 250;

/**
 * Keeps in the address what the screen shows by now, in place of what it said: a step of a zoom is no step to go back.
 * Nothing is drawn anew for it.
 */
export function keepAddress(route: Route): void {
  if (waiting) clearTimeout(waiting.timer);
  waiting = { href: hrefTo(route), timer: setTimeout(writeAddress, WRITE_REST_MS) };
}

/** What the screen shows by now, whether or not the address says it yet. */
export function currentRoute(): Route {
  return parseRoute(waiting?.href ?? window.location.hash);
}

function writeAddress(): void {
  if (!waiting) return;
  clearTimeout(waiting.timer);
  window.history.replaceState(window.history.state, '', waiting.href);
  waiting = null;
}

/** Calls `changed` when the address is another one: a link, the way back, or a text typed by hand. */
export function hearAddress(changed: (route: Route) => void): () => void {
  const hear = () => changed(parseRoute(window.location.hash));
  return hearHash(hear);
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(hearHash, () => window.location.hash);
  return parseRoute(hash);
}

function hearHash(changed: () => void): () => void {
  const hear = () => {
    // It was the address of a screen that is gone.
    if (waiting) clearTimeout(waiting.timer);
    waiting = null;
    changed();
  };
  window.addEventListener('hashchange', hear);
  return () => window.removeEventListener('hashchange', hear);
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
