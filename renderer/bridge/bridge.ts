import { createBridge, type BridgeClient } from '#shared/bridge-client.ts';
import type { Bridge, DesktopPort } from '#shared/bridge.ts';
import { portTo } from '#shared/port-to.ts';
import { LET_IN_PROTOCOL, SUBPROTOCOL } from '#shared/wire.ts';
import { connectionLost, connectionMade, useConnection } from './connection.ts';
import { letInSecret, takeLetInSecret } from './let-in.ts';
import { createSocketPort } from './socket-port.ts';

declare global {
  interface Window {
    /** Set by the desktop app's preload; absent in a browser. */
    readonly fieldbench?: DesktopPort;
  }
}

/** The service, whichever window this is: chosen once. */
export const bridge: Bridge = window.fieldbench ? desktopBridge(window.fieldbench) : consoleBridge();

function desktopBridge(port: DesktopPort): Bridge {
  connectionMade();
  return createBridge(portTo(port, null), connectionMade);
}

function consoleBridge(): Bridge {
  takeLetInSecret();
  const url = new URL('./socket', window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  const client: BridgeClient = createBridge(
    createSocketPort(url.href, letInProtocols, {
      opened() {
        client.resubscribe();
        connectionMade();
      },
      lost() {
        client.disconnect(new Error('The connection to the service was lost.'));
        void sayWhyLost();
      },
    }),
    connectionMade,
  );
  return client;
}

/** Asked for each attempt: another tab may have been let in meanwhile. */
function letInProtocols(): string[] {
  const secret = letInSecret();
  return secret === null ? [SUBPROTOCOL] : [SUBPROTOCOL, LET_IN_PROTOCOL + secret];
}

/**
 * A service that was started anew knows none of its windows, and a WebSocket does not tell that from no service at
 * all; the console's page does, by answering 403. Opening again goes on: a fresh link lets all windows of this browser in.
 */
async function sayWhyLost(): Promise<void> {
  if (useConnection.getState().state !== 'signed-out') connectionLost();
  const made = useConnection.getState().made;
  const isSignedOut = letInSecret() === null || (await isKeptOut());
  if (useConnection.getState().made === made) connectionLost(isSignedOut ? 'signed-out' : 'lost');
}

function isKeptOut(): Promise<boolean> {
  return fetch('./', { cache: 'no-store' }).then(
    ({ status }) => status === 403,
    () => false,
  );
}
