import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { badRequest } from '../errors.ts';
import type { TakeOver } from './upgrades.ts';

/* MQTT over WebSocket (MQTT 5, 6; 3.1.1, 6). Host and Origin were looked at by the guard, as for any request. */

export const MQTT_PATH = '/mqtt';
/** The subprotocol (6.0.0-3, 6.0.0-4). */
const SUBPROTOCOL = 'mqtt';
/** Bytes of a frame: the largest packet, and what may come with it. */
const MAX_FRAME = 4 * 1024 * 1024 + 64 * 1024;
/** Bytes in which a stranger's first frame, a CONNECT, must be whole: a frame is gathered before anybody looks into it. */
const MOST_OF_FIRST = 160 * 1024;
const TCP_KEEP_ALIVE_MS = 60_000;

/** Makes what takes WebSockets over and hands their bytes to `accept`, with the address of the other side. */
export function createMqttSockets(accept: (stream: Duplex, address: string) => void): TakeOver {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
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
    let first = head.length;
    const count = (piece: Buffer) => {
      first += piece.length;
      if (first > MOST_OF_FIRST) socket.destroy();
    };
    server.handleUpgrade(request, socket, head, (webSocket) => {
      socket.on('data', count);
      webSocket.once('message', () => socket.off('data', count));
      // 6.0.0-1: packets come in binary frames. Asked before the stream hears of it, so that it takes nothing of another.
      webSocket.on('message', (_data, isBinary) => {
        if (!isBinary) stream.destroy();
      });
      const stream = createWebSocketStream(webSocket);
      accept(stream, remoteAddress);
    });
  };
}

const offered = ({ headers }: IncomingMessage) =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
