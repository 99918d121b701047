import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { badRequest } from '../base/errors.ts';
import type { TakeOver } from './upgrades.ts';

/* MQTT over WebSocket (MQTT 5, 6; 3.1.1, 6). Host and Origin were looked at by the guard, as for any request. */

export const MQTT_PATH = '/mqtt';
/** The subprotocol (6.0.0-3, 6.0.0-4). */
const SUBPROTOCOL = 'mqtt';
/**
 * Bytes of a message: the largest packet, and what may come with it; and of how many frames it may be, in how many pieces, each of
 * which takes more memory than its bytes.
 */
const LIMITS = {
  maxPayload: 4 * 1024 * 1024 + 64 * 1024,
  maxFragments: 256,
  maxBufferedChunks: 8192,
};
/** Bytes that a control frame of a client has beside what it says (RFC 6455, 5.2). */
const CONTROL_HEAD = 6;
const TCP_KEEP_ALIVE_MS = 60_000;

/**
 * Takes the bytes of a WebSocket over, with the address of the other side. What it returns hears how many bytes are gathered
 * of a message that is not whole: nobody looks into one before, and it may be large.
 */
export type AcceptMqtt = (stream: Duplex, address: string) => (bytes: number) => void;

/** Makes what takes WebSockets over and hands their bytes to `accept`. */
export function createMqttSockets(accept: AcceptMqtt): TakeOver {
  const server = new WebSocketServer({
    noServer: true,
    ...LIMITS,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: () => SUBPROTOCOL,
  });
  return (request, socket, head) => {
    const { remoteAddress = '' } = request.socket;
    if (!offered(request).includes(SUBPROTOCOL))
      throw badRequest('A WebSocket for MQTT offers the subprotocol "mqtt" (Sec-WebSocket-Protocol).');
    // Of a client that asks for no keep-alive nobody would ever see that it is gone.
    request.socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    server.handleUpgrade(request, socket, head, (webSocket) => {
      // 6.0.0-1: packets come in binary frames. Asked before the stream hears of it, so that it takes nothing of another.
      webSocket.on('message', (_data, isBinary) => {
        if (!isBinary) stream.destroy();
      });
      const stream = createWebSocketStream(webSocket);
      const gathers = accept(stream, remoteAddress);
      let gathered = 0;
      const tell = (bytes: number) => gathers((gathered = Math.max(0, bytes)));
      // Before the WebSocket hears of either: of a piece that ends a message the rest is counted with it.
      socket.prependListener('data', (piece: Buffer) => tell(gathered + piece.length));
      webSocket.prependListener('message', () => tell(0));
      for (const control of ['ping', 'pong'] as const)
        webSocket.on(control, (data: Buffer) => tell(gathered - data.length - CONTROL_HEAD));
    });
  };
}

const offered = ({ headers }: IncomingMessage) =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
