import { createHash, timingSafeEqual } from 'node:crypto';
import type { Awaitable } from '../base/awaitable.ts';
import { machineClock } from '../base/machine-clock.ts';
import { systemRandom } from '../base/system-random.ts';

/** ms that a link to the console may wait for its first use. */
export const TICKET_MS = 10 * 60_000;
/** Browsers signed in at once; the oldest is signed out by one more. */
export const MAX_VISITORS = 64;

/** Session that a ticket turns into: the cookie gets the page, the secret beside it opens its WebSocket. */
export interface Admission {
  readonly cookie: string;
  readonly secret: string;
}

/**
 * One-time tickets in links to the console, and the sessions they turn into; in a lab, of all its services together. Rejects
 * with StoreError.
 */
export interface Tickets {
  /** A fresh ticket, good for ten minutes and one use. */
  issue(): Awaitable<string>;
  /** Turns a ticket into a cookie's value and a secret; null where it was used, has expired or never was one. */
  redeem(ticket: string): Awaitable<Admission | null>;
  /** Whether the ticket could be redeemed now. */
  holds(ticket: string): Awaitable<boolean>;
  isVisitor(cookie: string): Awaitable<boolean>;
  /** Whether the secret came with a cookie, of this visitor or of another: tabs of one browser share the last ones. */
  isSecret(secret: string): Awaitable<boolean>;
}

/** `now` in ms. Nothing is kept beyond this process: after a restart every browser needs a fresh link. */
export function createTickets(now: () => number = machineClock.wallMs): Tickets {
  let waiting: { readonly hash: Buffer; readonly expires: number }[] = [];
  let visitors: { readonly cookie: Buffer; readonly secret: Buffer }[] = [];
  function find(ticket: string) {
    const hash = hashOf(ticket);
    return waiting.find((one) => timingSafeEqual(one.hash, hash));
  }
  return {
    issue() {
      const ticket = randomSecret();
      waiting = waiting.filter(({ expires }) => expires > now());
      waiting.push({ hash: hashOf(ticket), expires: now() + TICKET_MS });
      return ticket;
    },
    holds: (ticket) => (find(ticket)?.expires ?? 0) > now(),
    redeem(ticket) {
      const found = find(ticket);
      waiting = waiting.filter((one) => one !== found);
      if (!found || found.expires <= now()) return null;
      const [cookie, secret] = [randomSecret(), randomSecret()];
      visitors = [...visitors, { cookie: hashOf(cookie), secret: hashOf(secret) }].slice(-MAX_VISITORS);
      return { cookie, secret };
    },
    isVisitor(cookie) {
      const hash = hashOf(cookie);
      return visitors.some((one) => timingSafeEqual(one.cookie, hash));
    },
    isSecret(secret) {
      const hash = hashOf(secret);
      return visitors.some((one) => timingSafeEqual(one.secret, hash));
    },
  };
}

/** Returns a random ticket, cookie value or secret. */
export const randomSecret = () => systemRandom.bytes(32).toString('base64url');

/** Returns the hash that is kept of one. */
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest();
