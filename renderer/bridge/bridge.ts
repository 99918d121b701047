import { createBridge, type BridgeClient } from '#shared/bridge/bridge-client.ts';
import type { Bridge, WindowPort } from '#shared/bridge/bridge.ts';
import { listenDistant, portTo } from '#shared/bridge/port-to.ts';
import { LET_IN_PROTOCOL, SUBPROTOCOL, type Distant } from '#shared/bridge/wire.ts';
import { connectionLost, connectionMade, useConnection } from './connection.ts';
import { useDistant } from './distant.ts';
import { comeBackIn, stayIn } from './console-session.ts';
import { letInSecret, takeLetInSecret } from './let-in.ts';
import { at } from './place.ts';
import { createSocketPort } from './socket-port.ts';

/** This window's channel. */
export const port: WindowPort = window.fieldbench ?? consolePort();

/** The service that this window is on, whichever window that is: chosen once. */
export const home: Bridge & BridgeClient = createBridge(portTo(port, null), () => {
  if (at === null) connectionMade();
});

/** The service that this page looks at: that one, or one elsewhere. */
export const bridge: Bridge = at === null ? home : distantBridge(at);

if (window.fieldbench && at === null) connectionMade();

/** The way to a service elsewhere leads over the one that the window is on, which says how it stands. */
function distantBridge(id: string): Bridge {
  const client = createBridge(portTo(port, id), connectionMade);
  listenDistant(port, id, (distant) => {
    const before = useDistant.getState();
    useDistant.setState({ ...distant });
    if (distant.state === 'connected') {
      if (before.state === 'connected') return;
      client.resubscribe();
      connectionMade();
    } else if (distant.state !== 'connecting') cutOff(client, distant);
  });
  // Where the window's own service has gone, its way to the other one has, too.
  useConnection.subscribe(({ state }) => {
    if (state !== 'connected') client.disconnect(new Error('The connection to the service was lost.'));
  });
  return client;
}

/** Retries now to reach the service elsewhere. */
export function reachAgain(): void {
  if (at !== null) port.post({ type: 'reach', at });
}

function cutOff(client: BridgeClient, { problem }: Distant): void {
  client.disconnect(new Error(problem ?? 'The connection to the service was lost.'));
  connectionLost();
}

function consolePort(): WindowPort {
  let isFresh = takeLetInSecret();
  const url = new URL('./socket', window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  return createSocketPort(url.href, letInProtocols, {
    opened() {
      home.resubscribe();
      if (isFresh) void stayIn();
      isFresh = false;
      if (at === null) connectionMade();
      else port.post({ type: 'reach', at });
    },
    lost() {
      home.disconnect(new Error('The connection to the service was lost.'));
      if (at !== null)
        useDistant.setState({
          state: 'lost',
          problem: 'The service of this machine, over which this window looks at it, cannot be reached.',
        });
      sayWhyLost();
    },
    reopening: lookWhetherIn,
  });
}

/** Asked for each attempt: another tab may have been let in meanwhile. */
function letInProtocols(): string[] {
  const secret = letInSecret();
  return secret === null ? [SUBPROTOCOL] : [SUBPROTOCOL, LET_IN_PROTOCOL + secret];
}

function sayWhyLost(): void {
  if (letInSecret() === null) connectionLost('signed-out');
  else if (useConnection.getState().state !== 'signed-out') connectionLost();
}

/**
 * A service that was started anew knows the windows of this machine's browsers by their keys, and others not: a WebSocket does
 * not tell that from no service at all, its session does. A fresh link lets all windows of this browser in, which go on then.
 */
async function lookWhetherIn(): Promise<void> {
  const made = useConnection.getState().made;
  const standing = await comeBackIn();
  if (useConnection.getState().made === made) connectionLost(standing === 'out' ? 'signed-out' : 'lost');
}
