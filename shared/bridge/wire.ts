import type { Envelope } from '../schema/envelope.ts';
import type { Events, Topic } from '../domain/events.ts';
import type { Series, SeriesKey } from '../domain/series.ts';
import { parseJson } from '../values/json.ts';
import type { EventFilter } from './subscriptions.ts';
import type { ArraysId, OperationId } from '../operations/index.ts';
import type { KeyStatistics } from '../operations/records/statistics.ts';
import type { KeyRights, OtherService } from '../operations/service/other-services.ts';

export type { KeyReading } from '../domain/series.ts';

/*
 * The messages between a window and the service, the same over Electron's IPC (structured clone) and over the
 * browser console's WebSocket (encode/decode below). `n` numbers a request; its answers carry the same number.
 * Bulk data flows under credit (shared/values/credit.ts): `more` grants another message.
 */

/** Bytes of file in one `chunk` or `bytes` message. */
export const CHUNK_BYTES = 256 * 1024;

/** One page of columns, newest first. */
export interface ColumnPage {
  /** Rank of the first row and rows in all. */
  readonly offset: number;
  readonly total: number;
  /** µs since 1970, descending. */
  readonly timestamps: Float64Array;
  /** One per asked key: the number, or NaN where a record has none. */
  readonly columns: readonly Float64Array[];
}

/** A key of a series as a chart draws it. */
export interface SeriesPictureKey extends SeriesKey {
  /** Usual interval between two of the key's numbers, whatever the window, in µs; null where it has no two. */
  readonly interval: number | null;
}

export type SeriesPicture = Series<SeriesPictureKey>;

/** A key of a series of its differences per time. */
export interface RatesPictureKey extends SeriesPictureKey {
  /** How often the counter wrapped, and began anew, in the span. */
  readonly wraps: number;
  readonly resets: number;
  /** Of the differences in the span. */
  readonly statistics: KeyStatistics;
}

export type RatesPicture = Series<RatesPictureKey>;

/** The pieces of each operation that replies with arrays. */
interface Arrays extends Record<ArraysId, object> {
  readonly 'chart.columns': ColumnPage;
  readonly 'chart.series': SeriesPicture;
  readonly 'chart.rates': RatesPicture;
}
export type ArraysOf<Id extends ArraysId> = Arrays[Id];

export type ClientMessage =
  | { readonly type: 'call'; readonly n: number; readonly id: OperationId; readonly input: unknown }
  | {
      readonly type: 'upload';
      readonly n: number;
      readonly id: OperationId;
      readonly input: unknown;
      readonly size: number;
    }
  | {
      readonly type: 'download';
      readonly n: number;
      readonly id: OperationId;
      readonly input: unknown;
      /** Number of the window's file that the bytes go into; without it they go to the page. */
      readonly into?: number;
    }
  | { readonly type: 'stream'; readonly n: number; readonly id: OperationId; readonly input: unknown }
  | { readonly type: 'chunk'; readonly n: number; readonly bytes: Uint8Array }
  | { readonly type: 'end'; readonly n: number }
  | { readonly type: 'more'; readonly n: number }
  | { readonly type: 'cancel'; readonly n: number }
  | { readonly type: 'subscribe'; readonly topic: Topic; readonly filter: EventFilter }
  | { readonly type: 'unsubscribe'; readonly topic: Topic; readonly filter: EventFilter };

export type ServerMessage =
  | { readonly type: 'reply'; readonly n: number; readonly envelope: Envelope }
  | { readonly type: 'bytes'; readonly n: number; readonly bytes: Uint8Array }
  | { readonly type: 'arrays'; readonly n: number; readonly arrays: ArraysOf<ArraysId> }
  | { readonly type: 'more'; readonly n: number }
  | { readonly type: 'event'; readonly topic: Topic; readonly payload: Events[Topic] }
  /** The window may have missed events, and reads again what it shows. */
  | { readonly type: 'resync' };

/** State of a window's connection to a service elsewhere, which it looks at through this one. */
export interface Distant {
  /**
   * `kept-out`: it is there, and its API key is none any more. `unknown`: no profile of this machine is called so. What is
   * lost or kept out is tried again by itself.
   */
  readonly state: 'connecting' | 'connected' | 'lost' | 'kept-out' | 'unknown';
  /** Null where it is unknown. */
  readonly service: OtherService | null;
  /** Why it is not connected, for people; null where nothing is wrong. */
  readonly problem: string | null;
  /** Rights of its key; null until it was reached. */
  readonly rights: KeyRights | null;
  /** Allowed operations: those it has and its key may call; where it is read-only, no changes. */
  readonly offered: readonly OperationId[];
}

/** Message of a window to the service that it is on, or (`at`) to one elsewhere, by its id. */
export type WindowMessage =
  | (ClientMessage & { readonly at?: string })
  /** Reaches for it, now rather than later where it was lost. */
  | { readonly type: 'reach'; readonly at: string }
  /** What came into a file of the window is all of it. */
  | { readonly type: 'end-file'; readonly file: number }
  /** No more comes into it, and it is not whole. */
  | { readonly type: 'drop-file'; readonly file: number };

/** State of a file into which downloads of the window go: its browser fetches and saves it, and the page sees none of its bytes. */
export type WindowFileMessage =
  /** So many bytes have come into it. The path is relative to the page, and is fetched once. */
  | { readonly type: 'file'; readonly file: number; readonly path: string; readonly bytes: number }
  /** It was fetched whole; whoever fetched it has left, or it was dropped; or nobody came for it. */
  | { readonly type: 'file-over'; readonly file: number; readonly how: 'whole' | 'left' | 'not-fetched' };

/** Message to a window, of the service that it is on or of one elsewhere. */
export type PostedMessage =
  | (ServerMessage & { readonly at?: string })
  | ({ readonly type: 'distant'; readonly at: string } & Distant)
  | WindowFileMessage;

/*
 * A WebSocket frame: u32 little-endian length of a JSON text, the text `[message without its bulk data, byte length of
 * each bulk part]`, padding to a multiple of 8, then the parts, each padded likewise so that arrays are views in place.
 * JSON rather than a binary object format, because it alone carries lone surrogates unchanged.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const padded = (length: number) => (length + 7) & ~7;

/** Encodes a message for a WebSocket. */
export function encodeMessage(message: WindowMessage | PostedMessage): Uint8Array<ArrayBuffer> {
  const [plain, parts] = detach(message);
  const json = encoder.encode(JSON.stringify([plain, parts.map((part) => part.byteLength)]));
  const start = padded(4 + json.length);
  const frame = new Uint8Array(parts.reduce((sum, part) => sum + padded(part.byteLength), start));
  new DataView(frame.buffer).setUint32(0, json.length, true);
  frame.set(json, 4);
  let offset = start;
  for (const part of parts) {
    frame.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), offset);
    offset += padded(part.byteLength);
  }
  return frame;
}

const SERIES_NUMBERS = ['min', 'max', 'first', 'last', 'firstTimes', 'lastTimes'] as const;
const SERIES_ARRAYS: ReadonlySet<string> = new Set(['counts', ...SERIES_NUMBERS]);

function detach(
  message: WindowMessage | PostedMessage,
): [plain: unknown, parts: (Uint8Array | Uint32Array | Float64Array)[]] {
  switch (message.type) {
    case 'chunk':
    case 'bytes':
      return [{ ...message, bytes: null }, [message.bytes]];
    case 'arrays': {
      const [arrays, parts] = detachArrays(message.arrays);
      return [{ ...message, arrays }, parts];
    }
    default:
      return [message, []];
  }
}

function detachArrays(arrays: ArraysOf<ArraysId>): [plain: object, parts: (Uint32Array | Float64Array)[]] {
  if ('timestamps' in arrays) {
    const { timestamps, columns, ...page } = arrays;
    return [page, [timestamps, ...columns]];
  }
  const plain = {
    ...arrays,
    keys: arrays.keys.map((key) =>
      Object.fromEntries(Object.entries(key).filter(([name]) => !SERIES_ARRAYS.has(name))),
    ),
  };
  return [plain, arrays.keys.flatMap((key) => [key.counts, ...SERIES_NUMBERS.map((name) => key[name])])];
}

/** Decodes a frame; throws RangeError, TypeError or SyntaxError on one that encodeMessage did not make. */
export function decodeMessage(received: Uint8Array): unknown {
  const frame = received.byteOffset % 8 === 0 ? received : new Uint8Array(received);
  const jsonLength = new DataView(frame.buffer, frame.byteOffset, frame.byteLength).getUint32(0, true);
  const [message, lengths] = parseJson(decoder.decode(frame.subarray(4, 4 + jsonLength))) as [
    { type: string; arrays: { readonly keys?: readonly object[] } },
    number[],
  ];
  let offset = padded(4 + jsonLength);
  const parts = lengths.map((length) => {
    const part = frame.subarray(offset, offset + length);
    if (part.length !== length) throw new RangeError('The frame is shorter than it says.');
    offset += padded(length);
    return part;
  });
  if (message.type === 'chunk' || message.type === 'bytes') return { ...message, bytes: parts[0] };
  return message.type === 'arrays' ? { ...message, arrays: attachArrays(message.arrays, parts) } : message;
}

function attachArrays(plain: { readonly keys?: readonly object[] }, parts: readonly Uint8Array[]): object {
  if (!plain.keys) {
    const [timestamps, ...columns] = parts.map(numbersIn);
    return { ...plain, timestamps, columns };
  }
  const each = 1 + SERIES_NUMBERS.length;
  const keys = plain.keys.map((key, i) => {
    const [counts = new Uint8Array(), ...columns] = parts.slice(i * each, (i + 1) * each);
    const named = SERIES_NUMBERS.map((name, at) => [name, numbersIn(columns[at] ?? new Uint8Array())]);
    const whole = new Uint32Array(counts.buffer, counts.byteOffset, counts.length / 4);
    return { ...key, counts: whole, ...Object.fromEntries(named) };
  });
  return { ...plain, keys };
}

function numbersIn(part: Uint8Array): Float64Array {
  return new Float64Array(part.buffer, part.byteOffset, part.length / 8);
}

/*
 * How a page of the console shows that it was let in: the link's redirect puts a secret behind the address of the page,
 * and the page offers it as a WebSocket subprotocol, since a browser can send nothing else of its own with a WebSocket.
 */

/** The address's fragment, before the secret. */
export const LET_IN_HASH = '#let-in=';
/** The subprotocol that is spoken, which the service takes up. */
export const SUBPROTOCOL = 'fieldbench';
/** The subprotocol that carries the secret behind it, and is never taken up. */
export const LET_IN_PROTOCOL = 'let-in.';

/** Headers of what a page asks about its own session: its secret, its public key, what it signed. */
export const LET_IN_HEADER = 'x-fieldbench-let-in';
export const BROWSER_KEY_HEADER = 'x-fieldbench-browser-key';
export const SIGNATURE_HEADER = 'x-fieldbench-signature';
/** Text that is signed of a challenge: with what for, so that the signature is of use nowhere else. */
export const signedText = (challenge: string) => `fieldbench console ${challenge}`;

/** Path of another Fieldbench's window on a service: a WebSocket with an API key. */
export const WINDOW_PATH = '/_local/v1/window';
