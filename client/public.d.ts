/* What `fieldbench/client` exports, in this repository and published. */

import type { CallOptions, Inputs, Nouns, OperationId, Outputs, UploadBody } from './operations.ts';

export type { CallOptions, Inputs, Nouns, OperationId, Outputs, UploadBody };

export interface ClientOptions {
  /** Address of the service: `http_url` or `base_url` of its ready file. */
  readonly url: string;
  /** API key. */
  readonly key: string;
  /** In place of the global one, where certificates are trusted otherwise, or requests counted. */
  readonly fetch?: typeof fetch;
}

/** Answer with its headers: pages are in `Link`, the count of all records in `X-Total-Count`. */
export interface Answer<Id extends OperationId> {
  readonly status: number;
  readonly message: string;
  readonly data: Outputs[Id];
  readonly headers: Headers;
}

/** What a device sends. */
export interface IngestOptions extends CallOptions {
  /** Token of the device. */
  readonly token: string;
  /** One record or several. A record without `timestamp` is of the moment of its receipt. */
  readonly records: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
  /** With the same key the same records are stored once, however often they are sent. Default: a new one for each call. */
  readonly idempotencyKey?: string;
}

/** Every method resolves with the `data` of the answer, and rejects with `FieldbenchError` where the service refuses. */
export interface Client extends Nouns {
  /** Operation by its id, with status, message and headers of its answer. */
  call<Id extends OperationId>(
    id: Id,
    input: Inputs[Id],
    options?: CallOptions & { readonly body?: UploadBody },
  ): Promise<Answer<Id>>;
  /** Stores records as a device does: POST /integrations/http. */
  ingest(options: IngestOptions): Promise<{ readonly stored: number }>;
}

export declare function createClient(options: ClientOptions): Client;

/** Refusal or failure that the service answered. `message` is the service's own, and names a wrong field first. */
export declare class FieldbenchError extends Error {
  constructor(answer: { status: number; action: string; message: string; retryAfterS: number | null });
  /** Status of HTTP. */
  readonly status: number;
  /** What was asked, in the service's words: "get device". */
  readonly action: string;
  /** Id under which the service's log has a failure (500, 503); null for a refusal. */
  readonly requestId: string | null;
  /** Seconds after which the service asks to be asked again; null where it does not. */
  readonly retryAfterS: number | null;
}

export interface StartOptions {
  /** Nothing on disk: the default, unless `data` is given. */
  readonly inMemory?: boolean;
  /** Folder to keep everything in, secrets included. */
  readonly data?: string;
  /** Ids, keys and tokens follow from this whole number. */
  readonly seed?: number;
  /** Clock of the service: "frozen@2026-01-15T10:30:00Z". */
  readonly clock?: string;
  /** Path of a seed file. */
  readonly seedFile?: string;
  /** Further flags of `fieldbench serve`; ports are free ones unless they say otherwise. */
  readonly args?: readonly string[];
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** ms it may take to be ready (30,000). */
  readonly timeoutMs?: number;
}

/** Contents of the ready file. Closed doors are null. */
export interface ReadyFile {
  readonly version: string;
  readonly pid: number;
  readonly base_url: string;
  readonly http_url: string | null;
  readonly mqtt_url: string | null;
  readonly mqtts_url: string | null;
  readonly ca_file: string | null;
  /** PEM, of a service in memory. */
  readonly ca_certificate?: string;
  readonly console_url: string | null;
  readonly account_id: string;
  readonly api_key: string;
}

export interface Service {
  /** Plain HTTP on loopback, or HTTPS where flags shut that. */
  readonly url: string;
  /** API key with all permissions. */
  readonly key: string;
  /** Client of this service. */
  readonly client: Client;
  readonly ready: ReadyFile;
  /** What it wrote so far. */
  output(): string;
  /** Ends it in order; resolves when it has ended. Rejects, with what it wrote, where it did not end well. */
  stop(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a service of this package for a test suite; resolves once it listens. It ends with this process at the latest. */
export declare function startService(options?: StartOptions): Promise<Service>;
