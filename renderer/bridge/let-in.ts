import { LET_IN_HASH } from '#shared/bridge/wire.ts';

const NAME = 'fieldbench-let-in';

/**
 * Returns the secret for the console's WebSocket, besides the cookie: the browser sends the cookie to every port of this
 * host, and keeps this from all but this one (docs/api.md, "Access"). It comes with the address of the page that the link
 * leads to; it is kept for all tabs, and those opened later. Null where this browser has none.
 */
export function letInSecret(): string | null {
  return window.localStorage.getItem(NAME);
}

export const keepLetInSecret = (secret: string): void => window.localStorage.setItem(NAME, secret);

export const dropLetInSecret = (): void => window.localStorage.removeItem(NAME);

/** Takes the secret out of the page's address, before anything reads or copies that. Returns whether there was one. */
export function takeLetInSecret(): boolean {
  const { hash, pathname } = window.location;
  if (!hash.startsWith(LET_IN_HASH)) return false;
  keepLetInSecret(hash.slice(LET_IN_HASH.length));
  window.history.replaceState(null, '', pathname);
  return true;
}
