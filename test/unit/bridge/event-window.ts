import { expect, vi } from 'vitest';
import type { Principal } from '#core/api/call.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import { openSession, type SessionOptions } from '#core/bridge/session.ts';
import { createBridge } from '#shared/bridge/bridge-client.ts';
import type { ClientMessage, ServerMessage } from '#shared/bridge/wire.ts';
import { PERMISSIONS } from '#shared/schema/schemas.ts';

/* A window that hears of events. */

export const OWNER: Principal = {
  account_id: 'a',
  permissions: new Set(PERMISSIONS),
  project_ids: null,
  key_id: null,
  by: { kind: 'window', name: 'tester' },
};

/** A window of a bus, and the two ends of what passes between them. */
export function open(events = createEventBus(), authenticate: SessionOptions['authenticate'] = () => OWNER) {
  const posted: ServerMessage[] = [];
  const sent: ClientMessage[] = [];
  const logged: string[] = [];
  const resync = vi.fn();
  const keep = (message: string) => void logged.push(message);
  let listener: (message: ServerMessage) => void = () => {};
  const session = openSession({
    dispatch: () => expect.unreachable(),
    authenticate,
    events,
    post(message) {
      posted.push(message);
      listener(structuredClone(message));
    },
    log: { info: keep, warn: keep, error: keep },
  });
  const bridge = createBridge(
    {
      post(message) {
        sent.push(message);
        session.receive(structuredClone(message));
      },
      listen(heard) {
        listener = heard;
        return () => void (listener = () => {});
      },
    },
    resync,
  );
  return { events, session, bridge, posted, sent, logged, resync };
}

export const settle = () => new Promise((resolve) => setTimeout(resolve));
