import { WINDOW_PATH } from '#shared/bridge/wire.ts';
import type { Principal } from '../api/call.ts';
import type { OpenWindow } from '../bridge/open-window.ts';
import type { Awaitable } from '../base/awaitable.ts';
import { Refusal } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import { askerOfPrincipal } from '../ingest/memory-budget.ts';
import type { Slices } from '../turns/slices.ts';
import type { Authenticate } from './authenticate.ts';
import type { Upgrades } from './upgrades.ts';
import { createWindowSockets, FRAMES_OF_KEY, type WindowSocket } from './window-sockets.ts';

/** ms between two looks at whether a window's key still holds: it may be revoked by another process, or expire. */
const LOOK_MS = 1000;

/**
 * Listener for windows of another Fieldbench on this service: a WebSocket with an API key in its Authorization header, which
 * no page of a browser can send. The window may do and hear of what the key may, and is closed once that has ended.
 */
export interface WindowDoor {
  addTo(upgrades: Upgrades): void;
  close(): void;
}

export interface WindowDoorOptions {
  readonly authenticate: Authenticate;
  /** Throws, or rejects with, a 401 Refusal where the rights have ended since. */
  readonly current: (principal: Principal) => Awaitable<Principal>;
  readonly openWindow: OpenWindow;
  readonly slices: Slices;
  readonly log: Logger;
}

export function createWindowDoor({
  authenticate,
  current,
  openWindow,
  slices,
  log,
}: WindowDoorOptions): WindowDoor {
  const sockets = createWindowSockets('A remote window', FRAMES_OF_KEY, { log, slices });
  const open = new Map<WindowSocket, Principal>();
  const looks = machineClock
    .every(LOOK_MS, () => {
      for (const [socket, principal] of open) void look(socket, principal);
    })
    .unref();

  /** Checks the rights of a window. A failed look-up leaves it open: each request is judged by itself. */
  async function look(socket: WindowSocket, principal: Principal): Promise<void> {
    try {
      await current(principal);
    } catch (error) {
      if (error instanceof Refusal) socket.refuse(error.message);
      else log.error("Whether a remote window's API key still holds could not be looked up", error);
    }
  }

  return {
    addTo(upgrades) {
      upgrades.add(WINDOW_PATH, 'open window', async (request, socket, head, known) => {
        const principal = await authenticate(request.headers.authorization);
        known(askerOfPrincipal(principal));
        sockets.accept(
          request,
          socket,
          head,
          (post, wire) => openWindow(principal, post, wire),
          (opened) => {
            open.set(opened, principal);
            opened.onClosed(() => void open.delete(opened));
          },
        );
      });
    },
    close() {
      clearInterval(looks);
      sockets.close();
    },
  };
}
