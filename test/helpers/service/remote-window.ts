import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Service } from '#core/service/service.ts';
import { createBridge, type BridgeClient } from '#shared/bridge/bridge-client.ts';
import {
  decodeMessage,
  encodeMessage,
  SUBPROTOCOL,
  WINDOW_PATH,
  type ServerMessage,
} from '#shared/bridge/wire.ts';

/** A window that another machine opened by an API key. */
export interface RemoteWindow {
  readonly bridge: BridgeClient;
  /** What the service posted to it. */
  readonly posted: ServerMessage[];
  /** Resolves once the service has closed it. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  close(): Promise<void>;
}

/** Opens a window over the plain door of a service. Rejects where it is not let in. */
export async function openRemoteWindow(
  service: Pick<Service, 'http_url' | 'base_url'>,
  api_key: string,
): Promise<RemoteWindow> {
  const url = (service.http_url ?? service.base_url).replace(/^http/, 'ws') + WINDOW_PATH;
  const socket = new WebSocket(url, SUBPROTOCOL, { headers: { authorization: `Bearer ${api_key}` } });
  const posted: ServerMessage[] = [];
  const listeners = new Set<(message: ServerMessage) => void>();
  socket.on('message', (data) => {
    const message = decodeMessage(new Uint8Array(data as Buffer)) as ServerMessage;
    posted.push(message);
    for (const listener of listeners) listener(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  await once(socket, 'open');
  const bridge = createBridge(
    {
      post: (message) => socket.send(encodeMessage(message)),
      listen(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    () => {},
  );
  void closed.then(() => bridge.disconnect(new Error('The window was closed.')));
  return {
    bridge,
    posted,
    closed,
    async close() {
      socket.close();
      await closed;
    },
  };
}
