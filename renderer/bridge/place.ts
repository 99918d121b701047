import type { DesktopPort } from '#shared/bridge/bridge.ts';

/*
 * Which service a window looks at: its address begins with "#/at/" and the id of one elsewhere, or it is the one that the
 * window is on. A page looks at one as long as it stays: another one is another page.
 */

declare global {
  interface Window {
    /** Set by the desktop app's preload; absent in a browser. */
    readonly fieldbench?: DesktopPort;
  }
}

const PLACE = /^#\/at\/([^/?]+)/;

/** The id in an address; null where it is of the service that the window is on. */
export function placeIn(hash: string): string | null {
  const id = PLACE.exec(hash)?.[1];
  if (id === undefined) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    // Typed by hand: there is no service of that name.
    return id;
  }
}

/** The service elsewhere that this page looks at; null: the one that it is on. */
export const at: string | null = 'location' in globalThis ? placeIn(globalThis.location.hash) : null;

/** The address of a screen of another service than this page's: of one elsewhere, or (null) of the window's own. */
export const hrefAt = (id: string | null, address = '#/') =>
  id === null ? address : `#/at/${encodeURIComponent(id)}${address.slice(1)}`;

/** An address without what says of which service it is. */
export const withoutPlace = (hash: string) => hash.replace(PLACE, '#');

/** Loads the page by the address that it has by now. */
export function loadAnew(): void {
  if (window.fieldbench) window.fieldbench.reload();
  else window.location.reload();
}
