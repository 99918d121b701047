import type { Bridge, CallOptions, Port, UploadSource } from './bridge.ts';
import type { Envelope } from '../schema/envelope.ts';
import type { ArraysId } from '../operations/index.ts';
import { Subscriptions } from './subscriptions.ts';
import { Credit } from '../values/credit.ts';
import { CHUNK_BYTES, type ArraysOf, type ClientMessage } from './wire.ts';

type Piece = Uint8Array | ArraysOf<ArraysId>;

interface Request {
  finish(envelope: Envelope): void;
  fail(reason: unknown): void;
  /** A piece of bulk data arrived. */
  piece?(data: Piece): void | Promise<void>;
  /** The service took a chunk. */
  more?(): void;
}

export interface BridgeClient extends Bridge {
  /** Ends every request under way, because the service is gone. */
  disconnect(reason: Error): void;
  /** Subscribes again to whatever has a listener: after a port was replaced. */
  resubscribe(): void;
}

/**
 * The bridge over any port: numbers requests, matches their answers and keeps bulk data under credit. `resync` is called
 * when the service says that events may have been missed.
 */
export function createBridge(port: Port, resync: () => void): BridgeClient {
  const requests = new Map<number, Request>();
  const listeners = new Subscriptions<(payload: never) => void>();
  let lastNumber = 0;

  port.listen((message) => {
    if (message.type === 'resync') return resync();
    if (message.type === 'event') {
      for (const listener of listeners.matching(message)) listener(message.payload as never);
      return;
    }
    const request = requests.get(message.n);
    if (!request) return;
    if (message.type === 'reply') request.finish(message.envelope);
    else if (message.type === 'more') request.more?.();
    else void receive(message.n, request, message.type === 'bytes' ? message.bytes : message.arrays);
  });

  async function receive(n: number, request: Request, data: Piece): Promise<void> {
    try {
      await request.piece?.(data);
      if (requests.has(n)) port.post({ type: 'more', n });
    } catch (error) {
      if (requests.has(n)) port.post({ type: 'cancel', n });
      request.fail(error);
    }
  }

  /** Sends a request and resolves with its envelope. `during` runs while it is under way. */
  function send(
    message: (n: number) => ClientMessage,
    { signal }: CallOptions,
    hooks: Pick<Request, 'piece' | 'more'> = {},
    during?: (n: number, settled: () => boolean) => Promise<void>,
  ): Promise<Envelope> {
    const n = ++lastNumber;
    return new Promise<Envelope>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const cancel = () => {
        port.post({ type: 'cancel', n });
        settle(() => reject(signal?.reason));
      };
      const settle = (end: () => void) => {
        requests.delete(n);
        signal?.removeEventListener('abort', cancel);
        end();
      };
      signal?.addEventListener('abort', cancel);
      requests.set(n, {
        ...hooks,
        finish: (envelope) => settle(() => resolve(envelope)),
        fail: (reason) => settle(() => reject(reason)),
      });
      port.post(message(n));
      during?.(n, () => !requests.has(n)).catch((error: unknown) => requests.get(n)?.fail(error));
    });
  }

  async function sendFile(
    file: UploadSource,
    n: number,
    settled: () => boolean,
    credit: Credit,
  ): Promise<void> {
    for (let start = 0; start < file.size && !settled(); start += CHUNK_BYTES) {
      await credit.room();
      credit.spend();
      const bytes = new Uint8Array(await file.slice(start, start + CHUNK_BYTES).arrayBuffer());
      if (!settled()) port.post({ type: 'chunk', n, bytes });
    }
    if (!settled()) port.post({ type: 'end', n });
  }

  return {
    call: (id, input, options = {}) => send((n) => ({ type: 'call', n, id, input }), options) as never,

    upload(id, input, file, { onProgress, ...options } = {}) {
      const credit = new Credit();
      let taken = 0;
      const more = () => {
        credit.grant();
        taken = Math.min(file.size, taken + CHUNK_BYTES);
        onProgress?.(taken);
      };
      return send(
        (n) => ({ type: 'upload', n, id, input, size: file.size }),
        options,
        { more },
        (n, settled) => sendFile(file, n, settled, credit),
      ) as never;
    },

    download: (id, input, onBytes, { into, ...options } = {}) =>
      send((n) => ({ type: 'download', n, id, input, ...(into !== undefined && { into }) }), options, {
        piece: (data) => onBytes(data as Uint8Array),
      }) as never,

    stream: (id, input, onArrays, options = {}) =>
      send((n) => ({ type: 'stream', n, id, input }), options, {
        piece: (data) => onArrays(data as never),
      }) as never,

    subscribe(topic, listener, filter = {}) {
      // The same function may be subscribed twice, and each of the two ends by itself.
      const own: typeof listener = (payload) => listener(payload);
      if (listeners.add(topic, filter, own)) port.post({ type: 'subscribe', topic, filter });
      return () => {
        if (listeners.delete(topic, filter, own)) port.post({ type: 'unsubscribe', topic, filter });
      };
    },

    disconnect(reason) {
      for (const request of requests.values()) request.fail(reason);
    },

    resubscribe() {
      for (const [topic, filter] of listeners.all()) port.post({ type: 'subscribe', topic, filter });
    },
  };
}
