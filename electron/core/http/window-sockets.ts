import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  CHUNK_BYTES,
  decodeMessage,
  encodeMessage,
  SUBPROTOCOL,
  type PostedMessage,
} from '#shared/bridge/wire.ts';
import type { Wire } from '../bridge/flow.ts';
import type { Session } from '../bridge/session.ts';
import { Refusal } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { Slices } from '../turns/slices.ts';
import { BYTES_OF_VALUE, valuesIn } from './json/json-values.ts';

/** Limits of a frame. */
export interface FrameLimits {
  readonly bytes: number;
  /** Of its JSON. */
  readonly values: number;
}
/** Frames of the owner, whose pushes come with their whole plan. */
export const FRAMES_OF_OWNER: FrameLimits = { bytes: 4 * 1024 * 1024 + CHUNK_BYTES, values: Infinity };
/** Frames of a key: a call whose input holds the first rows of a file as text, each letter escaped. */
export const FRAMES_OF_KEY: FrameLimits = { bytes: 2 * 1024 * 1024, values: 65_536 };
/** A window that does not answer a ping within this many ms has gone: its machine slept or its network dropped. */
const PING_MS = 30_000;

/** Bytes that a window may leave unread before one message more; what it asks for it is sent, so others would run out of memory. */
const MOST_UNREAD = 64 * 1024 * 1024;
/** The same of all windows of a door together; the one that has left the most goes. */
const MOST_UNREAD_BY_ALL = 128 * 1024 * 1024;
/** Unread bytes that do not count: each window may leave so many. */
const LITTLE_UNREAD = 64 * 1024;
/** Bytes unread behind which bulk data waits: many charts, one after the other given up, must not add up to MOST_UNREAD. */
const UNREAD_BEFORE_BULK = 16 * 1024 * 1024;

/** Status codes of RFC 6455, 7.4.1. */
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const INVALID_PAYLOAD = 1007;
const POLICY_VIOLATION = 1008;
/** Bytes of the reason (5.5: a control frame has 125 at most, two are the code's). */
const MOST_OF_REASON = 123;

/** Connects a window. */
export type OpenWindow = (post: (message: PostedMessage) => void, wire: Wire) => Session;

/** WebSocket of one window. */
export interface WindowSocket {
  /** Ends it, saying why in a few words of ASCII; one that has ended already stays so. */
  refuse(why: string): void;
  /** Calls `listener` once it has ended, on either side. */
  onClosed(listener: () => void): void;
}

/** Windows over the network: each WebSocket is one session with the messages of shared/bridge/wire.ts, and backpressure. */
export interface WindowSockets {
  /** Takes over a connection that may open a window; `opened` gets what it becomes. */
  accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    openWindow: OpenWindow,
    opened?: (socket: WindowSocket) => void,
  ): void;
  /** Says goodbye to every window, and cuts those that do not answer. */
  close(): void;
}

/** `what` is what the log calls one: "A window of the console". */
export function createWindowSockets(
  what: string,
  limits: FrameLimits,
  { log, slices }: { readonly log: Logger; readonly slices: Slices },
): WindowSockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.bytes,
    perMessageDeflate: false,
    // One message a turn: who sends thousands of small ones must not keep the others waiting.
    allowSynchronousEvents: false,
    handleProtocols: (offered) => offered.has(SUBPROTOCOL) && SUBPROTOCOL,
  });
  const silent = new WeakSet<WebSocket>();
  const pings = machineClock
    .every(PING_MS, () => {
      for (const socket of server.clients) {
        // Its answer would not be read.
        if (socket.isPaused) continue;
        if (silent.has(socket)) socket.terminate();
        silent.add(socket);
        socket.ping();
      }
    })
    .unref();

  /** Backpressure: returns the window with too much unread for another message to `socket`; null where none has. */
  function tooSlow(socket: WebSocket): WebSocket | null {
    if (socket.bufferedAmount <= LITTLE_UNREAD) return null;
    if (socket.bufferedAmount > MOST_UNREAD) return socket;
    let sum = 0;
    let slowest = socket;
    for (const one of server.clients) {
      sum += one.bufferedAmount;
      if (one.bufferedAmount > slowest.bufferedAmount) slowest = one;
    }
    return sum > MOST_UNREAD_BY_ALL ? slowest : null;
  }

  function connect(socket: WebSocket, stream: Duplex, openWindow: OpenWindow): void {
    /** Until the last message has left, or cannot any more. */
    let leaving = Promise.resolve();
    function post(message: PostedMessage): void {
      if (socket.readyState !== socket.OPEN) return;
      const slowest = tooSlow(socket);
      // No word of farewell: it would wait behind what is not read.
      if (slowest) log.warn(`${what} was cut off: it left ${slowest.bufferedAmount} bytes unread.`);
      slowest?.terminate();
      if (slowest !== socket)
        leaving = new Promise((resolve) => socket.send(encodeMessage(message), () => resolve()));
    }
    const session = openWindow(post, {
      room: () => (socket.bufferedAmount > UNREAD_BEFORE_BULK ? leaving : undefined),
      read: (goesOn) => (goesOn ? socket.resume() : socket.pause()),
    });
    socket.on('pong', () => silent.delete(socket));
    // A frame is gathered before anybody sees it.
    stream.on('data', (piece: Buffer) => {
      try {
        session.arrives?.(piece.length);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        log.warn(`${what} was cut off: ${error.message}`);
        socket.terminate();
      }
    });
    socket.on('message', (data, isBinary) => {
      if (!isBinary) return socket.close(UNSUPPORTED_DATA, 'Frames are binary.');
      const frame = data as Buffer;
      const values = valuesIn(jsonOf(frame));
      if (values > limits.values)
        return socket.close(INVALID_PAYLOAD, `A frame has at most ${limits.values} values.`);
      const take = () => {
        const message = decode(frame);
        if (message === null) return socket.close(INVALID_PAYLOAD, 'The frame cannot be read.');
        session.receive(message, frame.length + values * BYTES_OF_VALUE);
      };
      slices.add(take);
    });
    // A frame that is too large, or a connection that broke: ws closes the socket after it.
    socket.on('error', (error) => log.warn(`${what} failed: ${error.message}`));
    socket.on('close', () => session.close());
  }

  return {
    accept(request, socket, head, openWindow, opened) {
      server.handleUpgrade(request, socket, head, (webSocket) => {
        connect(webSocket, socket, openWindow);
        opened?.({
          refuse: (why) => webSocket.close(POLICY_VIOLATION, why.slice(0, MOST_OF_REASON)),
          onClosed: (listener) => void webSocket.once('close', listener),
        });
      });
    },
    close() {
      clearInterval(pings);
      for (const socket of server.clients) socket.close(GOING_AWAY, 'The service stops.');
      machineClock
        .after(500, () => {
          for (const socket of server.clients) socket.terminate();
        })
        .unref();
    },
  };
}

/** The JSON of a frame (shared/bridge/wire.ts). */
function jsonOf(frame: Buffer): Uint8Array {
  return frame.length < 4 ? frame : frame.subarray(4, 4 + frame.readUInt32LE(0));
}

/** A received frame as a message; null where it is none. ws hands over a Buffer as long as its binaryType is left alone. */
function decode({ buffer, byteOffset, byteLength }: Buffer): unknown {
  try {
    return decodeMessage(new Uint8Array(buffer, byteOffset, byteLength));
  } catch {
    return null;
  }
}
