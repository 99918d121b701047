import type { WindowPort } from '#shared/bridge/bridge.ts';
import { decodeMessage, encodeMessage, type PostedMessage, type WindowMessage } from '#shared/bridge/wire.ts';

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;

export interface SocketEvents {
  /** The socket is open, for the first time or again. What was posted meanwhile goes out after this returns. */
  readonly opened: () => void;
  readonly lost: () => void;
  /** What it waits for before it tries to open again. Never rejects. */
  readonly reopening: () => Promise<unknown>;
}

/**
 * The browser console's port: one WebSocket that opens again, ever more patiently, whenever it closes. `protocols` are
 * its subprotocols, asked for each time.
 */
export function createSocketPort(url: string, protocols: () => string[], events: SocketEvents): WindowPort {
  const listeners = new Set<(message: PostedMessage) => void>();
  let waiting: WindowMessage[] = [];
  let retryMs = FIRST_RETRY_MS;
  let socket = open();

  function open(): WebSocket {
    const opening = new WebSocket(url, protocols());
    opening.binaryType = 'arraybuffer';
    opening.addEventListener('open', () => {
      retryMs = FIRST_RETRY_MS;
      events.opened();
      for (const message of waiting) opening.send(encodeMessage(message));
      waiting = [];
    });
    opening.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      const message = decodeMessage(new Uint8Array(data)) as PostedMessage;
      for (const listener of listeners) listener(message);
    });
    opening.addEventListener('close', () => {
      waiting = [];
      events.lost();
      setTimeout(() => void reopen(), retryMs);
      retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
    });
    return opening;
  }

  async function reopen(): Promise<void> {
    await events.reopening();
    socket = open();
  }

  return {
    post(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(encodeMessage(message));
      // Whoever hears `opened` subscribes to every topic anew, so a subscription need not wait here.
      else if (message.type !== 'subscribe' && message.type !== 'unsubscribe') waiting.push(message);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
