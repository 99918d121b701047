import { Arrivals, Credit } from '#shared/values/credit.ts';

/** Message of a task between its start and its end, either way. */
export type Frame =
  | { readonly type: 'message'; readonly message: unknown }
  /** The other side has finished with one more message. */
  | { readonly type: 'taken' }
  /** No message follows. */
  | { readonly type: 'end' };

/** One side of a task: messages that come and messages that go. Whatever waits rejects as the signal fires, with its reason. */
export interface Channel<In, Out> {
  /** Sends a message. Bytes move: the array is empty afterwards unless it was part of a larger one, which is copied. */
  post(message: Out): void;
  /** Waits until another message may be sent. */
  room(): Promise<void>;
  /** Says that no message follows. */
  end(): void;
  /** The messages of the other side, in order; to be read once. It may send the next when the reader asks for one more. */
  incoming(): AsyncGenerator<In>;
  /** Takes what the other side sent. */
  receive(part: Frame): void;
}

export function createChannel<In, Out>(
  send: (part: Frame, transfer: readonly ArrayBuffer[]) => void,
  signal: AbortSignal,
): Channel<In, Out> {
  const credit = new Credit(signal);
  const arrivals = new Arrivals<In>(() => send({ type: 'taken' }, []), signal);
  return {
    post(message) {
      credit.spend();
      if (!(message instanceof Uint8Array)) return send({ type: 'message', message }, []);
      const own = owned(message);
      send({ type: 'message', message: own }, [own.buffer]);
    },
    room: () => credit.room(),
    end: () => send({ type: 'end' }, []),
    incoming: () => arrivals.read(),
    receive(part) {
      if (part.type === 'message') arrivals.push(part.message as In);
      else if (part.type === 'taken') credit.grant();
      else arrivals.end();
    },
  };
}

/** Bytes in a buffer of their own: only a whole buffer can move, and a copy of a part would be one of all of it. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
