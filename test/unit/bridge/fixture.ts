import { expect } from 'vitest';
import { type Answer, type Call, type Principal } from '#core/api/call.ts';
import { openSession, type Session, type SessionOptions } from '#core/bridge/session.ts';
import { createEventBus, type EventBus } from '#core/base/event-bus.ts';
import { answerTo } from '#core/api/answer-to.ts';
import { createBridge, type BridgeClient } from '#shared/bridge/bridge-client.ts';
import type { Port } from '#shared/bridge/bridge.ts';
import { succeeded } from '#shared/schema/envelope.ts';
import { operationOf } from '#shared/operations/index.ts';
import { PERMISSIONS } from '#shared/schema/schemas.ts';
import { type ClientMessage, type ServerMessage } from '#shared/bridge/wire.ts';

const OWNER: Principal = {
  account_id: 'a',
  permissions: new Set(PERMISSIONS),
  project_ids: null,
  key_id: null,
  by: { kind: 'window', name: 'tester' },
};
export const DEVICE = { project_id: 'p', device_id: 'd' };
export const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A session, and the bridge of a window that talks to it. */
export interface TestSession {
  /** What dispatch does with a call. */
  handle: (call: Call) => Answer | Promise<Answer>;
  /** Whether what the session posts arrives. */
  deliver: boolean;
  readonly session: Session;
  readonly bridge: BridgeClient;
  readonly events: EventBus;
  /** By the session and by the window, in order. */
  readonly posted: ServerMessage[];
  readonly sent: ClientMessage[];
  readonly logged: string[];
  /** Whether what the window sends is read. */
  isRead: boolean;
}

export function openTestSession(hold?: SessionOptions['hold']): TestSession {
  const posted: ServerMessage[] = [];
  const sent: ClientMessage[] = [];
  const logged: string[] = [];
  const keep = (message: string) => void logged.push(message);
  const log = { info: keep, warn: keep, error: keep };
  const events = createEventBus();
  const listeners = new Set<(message: ServerMessage) => void>();
  const session = openSession({
    dispatch: async (call) => {
      try {
        expect(call.authenticate()).toBe(OWNER);
        return await open.handle(call);
      } catch (error) {
        return answerTo(operationOf(call.id).action, error, log);
      }
    },
    authenticate: () => OWNER,
    events,
    post(message) {
      posted.push(message);
      const copy = structuredClone(message);
      if (open.deliver) queueMicrotask(() => listeners.forEach((listener) => listener(copy)));
    },
    log,
    wire: { room: () => {}, read: (goesOn) => (open.isRead = goesOn) },
    ...(hold && { hold }),
  });
  const port: Port = {
    post(message) {
      sent.push(message);
      session.receive(structuredClone(message));
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const bridge = createBridge(port, () => expect.unreachable());
  const handle = () => expect.unreachable();
  const isRead = true;
  const open: TestSession = { handle, deliver: true, isRead, session, bridge, events, posted, sent, logged };
  return open;
}

export function answer(id: Call['id'], data: unknown): Answer {
  const { action, status, message } = operationOf(id);
  return { envelope: succeeded(action, status, message, data) };
}
