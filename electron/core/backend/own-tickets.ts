import { createPublicKey, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { signedText } from '#shared/bridge/wire.ts';
import { parseJson } from '#shared/values/json.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { KeptLines } from './kept-lines.ts';
import {
  hashOf,
  MAX_VISITORS,
  randomSecret,
  TICKET_MS,
  VISITOR_MS,
  type Admission,
  type Returning,
  type Tickets,
} from './tickets.ts';

/** ms that a browser has to sign what it is given. */
const CHALLENGE_MS = 60_000;
/** Of one browser at once: each of its tabs asks. */
const MOST_CHALLENGES = 16;
/** Of one browser: each of its tabs that comes back gets one. */
const MOST_SECRETS = 64;
/** ms after which it is written anew when a session was used last. */
const WRITE_MS = 3600_000;

/** What a session comes back by. */
interface Return {
  /** SPKI, base64url. */
  readonly key: string;
  readonly port: number;
  /** ms since 1970 of its last window. */
  used: number;
}

interface Visitor {
  readonly cookie: Buffer;
  /** Hashes, of this run of the service alone. */
  secrets: Buffer[];
  back: Return | null;
  /** Whether it is of an earlier run: then its cookie counts at its port alone. */
  readonly isOld: boolean;
  challenges: { readonly text: string; readonly until: number }[];
}

/** A session that comes back: hash of the cookie in hex, public key, port, last use. Nothing in it opens anything. */
const line = z.tuple([z.hex().length(64), z.string(), z.int(), z.number()]);

interface Parts {
  /** ms since 1970. */
  readonly now?: () => number;
  /** Where sessions are kept; null: nowhere, so that each ends with the process. */
  readonly lines?: KeptLines | null;
  readonly log?: Pick<Logger, 'warn'>;
}

/** Tickets of one process, and sessions of which some come back after a restart. */
export class OwnTickets implements Tickets, Returning {
  readonly #now: () => number;
  readonly #lines: KeptLines | null;
  readonly #log: Pick<Logger, 'warn'>;
  #waiting: { readonly hash: Buffer; readonly expires: number }[] = [];
  #visitors: Visitor[] = [];
  #writtenAt = 0;

  constructor({ now = machineClock.wallMs, lines = null, log = { warn() {} } }: Parts = {}) {
    this.#now = now;
    this.#lines = lines;
    this.#log = log;
  }

  /** Takes up who may come back; what cannot be read is not known any more. Rejects with StoreError. */
  static async open(parts: Parts & { readonly lines: KeptLines }): Promise<OwnTickets> {
    const tickets = new OwnTickets(parts);
    const { lines } = await parts.lines.read();
    for (const text of lines) {
      const read = line.safeParse(parseJson(text));
      if (!read.success) continue;
      const [cookie, key, port, used] = read.data;
      const back = { key, port, used: Math.min(used, tickets.#now()) };
      const visitor = { cookie: Buffer.from(cookie, 'hex'), secrets: [], back, isOld: true, challenges: [] };
      if (tickets.#isFresh(back)) tickets.#visitors.push(visitor);
    }
    return tickets;
  }

  get returning(): Returning | null {
    return this.#lines === null ? null : this;
  }

  issue(): string {
    const ticket = randomSecret();
    const now = this.#now();
    this.#waiting = this.#waiting.filter(({ expires }) => expires > now);
    this.#waiting.push({ hash: hashOf(ticket), expires: now + TICKET_MS });
    return ticket;
  }

  holds(ticket: string): boolean {
    return (this.#find(ticket)?.expires ?? 0) > this.#now();
  }

  redeem(ticket: string): Admission | null {
    const found = this.#find(ticket);
    this.#waiting = this.#waiting.filter((one) => one !== found);
    if (!found || found.expires <= this.#now()) return null;
    const [cookie, secret] = [randomSecret(), randomSecret()];
    const visitor = {
      cookie: hashOf(cookie),
      secrets: [hashOf(secret)],
      back: null,
      isOld: false,
      challenges: [],
    };
    this.#visitors = [...this.#visitors, visitor].slice(-MAX_VISITORS);
    return { cookie, secret };
  }

  isVisitor(cookie: string, port: number | null = null): boolean {
    const visitor = this.#visitorOf(cookie);
    return visitor !== null && (!visitor.isOld || this.#comesBackAt(visitor, port));
  }

  isSecret(secret: string): boolean {
    const hash = hashOf(secret);
    const visitor = this.#visitors.find(({ secrets }) => secrets.some((one) => timingSafeEqual(one, hash)));
    if (!visitor) return false;
    if (visitor.back) {
      visitor.back.used = this.#now();
      if (this.#now() - this.#writtenAt > WRITE_MS) void this.#writeUse();
    }
    return true;
  }

  holding(secrets: readonly string[]): ReadonlySet<string> {
    return new Set(secrets.filter((secret) => this.isSecret(secret)));
  }

  async signOut(cookie: string, secret: string): Promise<void> {
    const [ofCookie, ofSecret] = [hashOf(cookie), hashOf(secret)];
    const isMeant = (one: Visitor) =>
      timingSafeEqual(one.cookie, ofCookie) || one.secrets.some((each) => timingSafeEqual(each, ofSecret));
    const gone = this.#visitors.filter(isMeant);
    this.#visitors = this.#visitors.filter((one) => !gone.includes(one));
    if (!gone.some(({ back }) => back !== null)) return;
    try {
      await this.#write();
    } catch (error) {
      // They would come back after a restart: better that whoever signs out hears of it, and tries again.
      this.#visitors = [...gone, ...this.#visitors];
      throw error;
    }
  }

  async keep(cookie: string, key: string, port: number): Promise<boolean> {
    const visitor = this.#visitorOf(cookie);
    if (!visitor || visitor.isOld || this.#lines === null || publicKeyOf(key) === null) return false;
    const before = visitor.back;
    visitor.back = { key, port, used: this.#now() };
    try {
      await this.#write();
    } catch (error) {
      visitor.back = before;
      throw error;
    }
    return true;
  }

  challenge(cookie: string, port: number): string | null {
    const visitor = this.#visitorOf(cookie);
    if (!visitor || !this.#comesBackAt(visitor, port)) return null;
    const text = randomSecret();
    const now = this.#now();
    visitor.challenges = visitor.challenges.filter(({ until }) => until > now).slice(1 - MOST_CHALLENGES);
    visitor.challenges.push({ text, until: now + CHALLENGE_MS });
    return text;
  }

  comeBack(cookie: string, port: number, signature: string): string | null {
    const visitor = this.#visitorOf(cookie);
    const key = publicKeyOf(visitor?.back?.key ?? '');
    if (!visitor?.back || key === null || !this.#comesBackAt(visitor, port)) return null;
    const now = this.#now();
    const signed = visitor.challenges.find(
      ({ text, until }) => until > now && isSignedBy(key, text, signature),
    );
    if (!signed) return null;
    visitor.challenges = visitor.challenges.filter((one) => one !== signed);
    const secret = randomSecret();
    visitor.secrets = [...visitor.secrets, hashOf(secret)].slice(-MOST_SECRETS);
    return secret;
  }

  async close(): Promise<void> {
    if (this.#lines === null) return;
    if (this.#visitors.some(({ back }) => back !== null && back.used > this.#writtenAt))
      await this.#writeUse();
    await this.#lines.close();
  }

  #find(ticket: string) {
    const hash = hashOf(ticket);
    return this.#waiting.find((one) => timingSafeEqual(one.hash, hash));
  }

  #visitorOf(cookie: string): Visitor | null {
    const hash = hashOf(cookie);
    return this.#visitors.find((one) => timingSafeEqual(one.cookie, hash)) ?? null;
  }

  #comesBackAt({ back }: Visitor, port: number | null): boolean {
    return back !== null && back.port === port && this.#isFresh(back);
  }

  #isFresh({ used }: Return): boolean {
    return used + VISITOR_MS > this.#now();
  }

  async #write(): Promise<void> {
    this.#writtenAt = this.#now();
    const kept = this.#visitors.flatMap(({ cookie, back }) =>
      back ? [JSON.stringify([cookie.toString('hex'), back.key, back.port, back.used])] : [],
    );
    await this.#lines?.replace(kept);
  }

  /** A failure costs a browser that opened no window for a week its session, and no more. */
  async #writeUse(): Promise<void> {
    try {
      await this.#write();
    } catch (error) {
      this.#log.warn(`When browsers were here last could not be written: ${(error as Error).message}`);
    }
  }
}

/** Returns a public key of P-256; null where the text is none. */
function publicKeyOf(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}

function isSignedBy(key: KeyObject, challenge: string, signature: string): boolean {
  const signed = Buffer.from(signature, 'base64url');
  return (
    signed.length === 64 &&
    verify('sha256', Buffer.from(signedText(challenge)), { key, dsaEncoding: 'ieee-p1363' }, signed)
  );
}
