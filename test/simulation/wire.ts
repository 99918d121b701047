import type { Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { parseJson } from '#shared/values/json.ts';

/* HTTP to a server of this process without the machine's network: what is sent arrives in the order in which it was sent. */

export interface Asking {
  /** API key or token in place of the service's own. */
  readonly key?: string;
  /** Text or bytes as they are, or what is to be JSON. */
  readonly body?: string | object;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  /** By lower-case names, without the Date, which is the machine's. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export type Data = Record<string, unknown>;

/** Where the wire is cut: behind so many bytes of the request, or of the answer. */
export type Cut = { readonly sent: number } | { readonly heard: number };

/** Ends of connections that are open. */
export class Wires {
  readonly #open = new Set<() => void>();

  /** Cuts all connections. */
  cut(): void {
    for (const end of this.#open) end();
  }

  /** Has a connection of another kind cut with the others; `work` gets where to say how. */
  async hold<T>(work: (ended: (end: () => void) => void) => Promise<T>): Promise<T> {
    let end = () => {};
    const cut = () => end();
    this.#open.add(cut);
    try {
      return await work((ending) => void (end = ending));
    } finally {
      this.#open.delete(cut);
    }
  }

  /** Sends a request on a connection of its own. Resolves with the answer; null where the wire was cut before all of it was there. */
  ask(server: Server, asked: Asked, cut: Cut | null = null): Promise<Answer | null> {
    const [near, far] = duplexPair();
    const pieces: Buffer[] = [];
    let heard = 0;
    return new Promise((resolve) => {
      const end = () => {
        this.#open.delete(end);
        near.destroy();
        far.destroy();
        resolve(null);
      };
      this.#open.add(end);
      near.on('error', end).on('close', end);
      far.on('error', () => {});
      near.on('data', (piece: Buffer) => {
        pieces.push(piece);
        heard += piece.length;
        if (cut !== null && 'heard' in cut && heard > cut.heard) end();
      });
      near.on('end', () => {
        resolve(answerOf(Buffer.concat(pieces)));
        end();
      });
      server.emit('connection', asSocket(far));
      const bytes = bytesOf(asked);
      if (cut === null || !('sent' in cut)) near.write(bytes);
      else near.write(bytes.subarray(0, cut.sent), end);
    });
  }
}

function bytesOf({ method, path, headers = {}, body = '' }: Asked): Buffer {
  const content = Buffer.from(body);
  const lines = Object.entries({
    host: '127.0.0.1',
    connection: 'close',
    ...headers,
    ...(content.length > 0 && { 'content-length': String(content.length) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), content]);
}

/** Null where it is not all of an answer. */
function answerOf(bytes: Buffer): Answer | null {
  const head = bytes.indexOf('\r\n\r\n');
  if (head === -1) return null;
  const [first = '', ...lines] = bytes.subarray(0, head).toString('latin1').split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(':');
    headers.set(line.slice(0, at).toLowerCase(), line.slice(at + 1).trim());
  }
  headers.delete('date');
  const rest = bytes.subarray(head + 4);
  const length = headers.get('content-length');
  const body =
    headers.get('transfer-encoding') === 'chunked'
      ? joined(rest)
      : length === undefined || rest.length === Number(length)
        ? rest
        : null;
  return body && { status: Number(first.split(' ')[1]), headers, body };
}

/** The content of chunks (RFC 9112, 7.1); null where the last one is missing. */
function joined(bytes: Buffer): Buffer | null {
  const pieces: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1) return null;
    const length = parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
    if (at > bytes.length) return null;
  }
}

/** A stream with what a server asks of a socket beside its bytes. */
export function asSocket(stream: Duplex): Duplex {
  const same = () => stream;
  return Object.assign(stream, {
    remoteAddress: '127.0.0.1',
    remotePort: 50_000,
    localAddress: '127.0.0.1',
    setTimeout: same,
    setNoDelay: same,
    setKeepAlive: same,
  });
}

/** The data of an envelope; empty where it is none. */
export function dataOf({ body, headers }: Answer): Data {
  if (headers.get('content-type')?.startsWith('application/json') !== true) return {};
  return (parseJson(body.toString()) as { data?: Data | null } | null)?.data ?? {};
}

export const messageOf = ({ body }: Answer): string =>
  (parseJson(body.toString()) as { message?: string } | null)?.message ?? '';
