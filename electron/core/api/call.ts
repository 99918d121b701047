import type { Envelope } from '#shared/schema/envelope.ts';
import type { ArraysId, OperationId } from '#shared/operations/index.ts';
import type { Permission } from '#shared/schema/schemas.ts';
import type { ArraysOf } from '#shared/bridge/wire.ts';
import type { Awaitable } from '../base/awaitable.ts';
import type { Body } from '../import/body.ts';
import type { Borrowed } from '../store/store.ts';
import type { Actor } from '../store/trail/entry.ts';

/** Caller of an operation: an API key, or the owner at the app's own window. */
export interface Principal {
  readonly account_id: string;
  readonly permissions: ReadonlySet<Permission>;
  /** The only projects it may touch; null for every project of the account. */
  readonly project_ids: ReadonlySet<string> | null;
  /** Null for the owner's window. */
  readonly key_id: string | null;
  /** Actor of its changes in the audit trail. */
  readonly by: Actor;
}

/** One request, whichever door it came in by. */
export interface Call {
  readonly id: OperationId;
  /** Path parameters, query and JSON body together, unchecked. */
  readonly input: unknown;
  /** Runs first (docs/api.md, "Order of checks"): who asks, or throws, or rejects with, a 401 Refusal. */
  readonly authenticate: () => Awaitable<Principal>;
  readonly body?: Body;
  /** Fires when the asker has gone or cancelled; long work then stops. */
  readonly signal?: AbortSignal;
}

/** JSON that is already text: a page, written by the store. */
export class EncodedJson {
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
  /** Where the bytes lie, to be given back. */
  readonly borrowed: Borrowed | undefined;

  constructor(bytes: Uint8Array | AsyncIterable<Uint8Array>, borrowed?: Borrowed) {
    this.bytes = bytes;
    this.borrowed = borrowed;
  }
}

/** A page among all pages, counted from 1; `total` counts what is on all of them. */
export interface PagePlace {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

/** Answer that a door writes out. */
export interface Answer {
  /** `data` is an EncodedJson for pages. */
  readonly envelope: Envelope;
  /** Seconds until it is worth asking again, where a fault says so. */
  readonly retry_after_s?: number;
  /** Where a page stands among all. */
  readonly page?: PagePlace;
  /** Over HTTP success is the envelope's `data` alone (Operation.reply). */
  readonly bare?: boolean;
  /** The data itself instead of the envelope: an export. The envelope is then what a bridge says at its end. */
  readonly download?: {
    readonly type: string;
    /** Subject of the file, in any characters: a door makes a file name of it that its side can carry. */
    readonly name: string;
    /** Without the dot. */
    readonly extension: string;
    readonly bytes: AsyncIterable<Uint8Array>;
    /** Fires when its reader, who is still there, gets no more. */
    readonly givenUp?: AbortSignal;
    /** Names the bytes of the whole: as long as it is the same, so are they. */
    readonly state?: string;
    /** Where `bytes` are the rest of it alone. */
    readonly part?: { readonly from: number; readonly total: number };
  };
  /** Arrays that a window gets before the envelope; the generator's result is the envelope's `data`. */
  readonly arrays?: AsyncGenerator<ArraysOf<ArraysId>, unknown, undefined>;
}

/** The only way in. Never rejects: a refusal is an envelope, a bug is a 500 with an id that the log has. */
export type Dispatch = (call: Call) => Promise<Answer>;
