import { createHash } from 'node:crypto';
import type { Awaitable } from '../base/awaitable.ts';
import { systemRandom } from '../base/system-random.ts';

/** ms that a link to the console may wait for its first use. */
export const TICKET_MS = 10 * 60_000;
/** ms that a browser stays signed in which has no window open: in a lab, and where its session comes back after a restart. */
export const VISITOR_MS = 7 * 24 * 3600_000;
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
  /** Whether the cookie is of a session. `port`: that of loopback which the browser came to; null or absent for any other way. */
  isVisitor(cookie: string, port?: number | null): Awaitable<boolean>;
  /** Whether the secret came with a cookie, of this visitor or of another: tabs of one browser share the last ones. */
  isSecret(secret: string): Awaitable<boolean>;
  /**
   * Those of the secrets of open windows whose sessions hold: one may have been ended at another service, and while a window is
   * open its session stays.
   */
  holding(secrets: readonly string[]): Awaitable<ReadonlySet<string>>;
  /** Ends the sessions of a cookie and of a secret, for good once it has resolved; where it rejects they hold. */
  signOut(cookie: string, secret: string): Awaitable<void>;
  /** How a session comes back after a restart; null where each is there still. */
  readonly returning: Returning | null;
}

/**
 * Sessions that outlive their service (docs/decisions.md, "A console that comes back by a key"): of browsers of this machine
 * alone, each at the loopback port that it was let in at, by the private key of a pair which the browser keeps.
 */
export interface Returning {
  /**
   * Notes a browser's public key: SPKI of P-256, base64url. Resolves with whether its session will come back. Rejects with
   * StoreError.
   */
  keep(cookie: string, key: string, port: number): Promise<boolean>;
  /** Returns what the browser has to sign, once and within a minute; null where the session does not come back at this port. */
  challenge(cookie: string, port: number): string | null;
  /** Returns a fresh secret for the signature of a challenge (ECDSA over SHA-256, 64 bytes, base64url); null for any other one. */
  comeBack(cookie: string, port: number, signature: string): string | null;
}

/** Returns a random ticket, cookie value or secret. */
export const randomSecret = () => systemRandom.bytes(32).toString('base64url');

/** Returns the hash that is kept of one. */
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest();
