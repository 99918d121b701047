import { PERMISSIONS } from '#shared/schema/schemas.ts';
import type { ServerMessage } from '#shared/bridge/wire.ts';
import type { Principal } from '../../../api/call.ts';
import { createEventBus } from '../../../base/event-bus.ts';
import type { Logger } from '../../../base/logger.ts';
import { machineClock } from '../../../base/machine-clock.ts';
import type { DistantAccess } from '../../../remote/read-access.ts';
import type { Target } from '../../../remote/target.ts';
import { openSession, type Session } from '../../session.ts';
import { createDocumentDispatch } from './dispatch.ts';
import { Ten } from './ten.ts';

/** ms between two reads of a service without events. */
const LOOK_AGAIN_MS = 15_000;

export interface DocumentWindow {
  readonly target: Target;
  /** Name of the service here. */
  readonly name: string;
  readonly access: DistantAccess;
  readonly post: (message: ServerMessage) => void;
  readonly log: Logger;
}

/** Principal for any caller: the service elsewhere judges its key by itself. */
const ANYBODY: Principal = {
  account_id: '',
  permissions: new Set(PERMISSIONS),
  project_ids: null,
  key_id: null,
  by: { kind: 'window', name: '' },
};

/**
 * A window's session with a service elsewhere by the document's operations alone. Of one that has no windows nothing is
 * heard: now and then the window is told to read again.
 */
export function openDocument({ target, name, access, post, log }: DocumentWindow): Session {
  const session = openSession({
    dispatch: createDocumentDispatch({
      ten: new Ten(target),
      name,
      access,
      now: () => machineClock.wallMs() * 1000,
      log,
    }),
    authenticate: () => ANYBODY,
    events: createEventBus(),
    post,
    log,
  });
  const looks =
    access.kind === 'document'
      ? machineClock.every(LOOK_AGAIN_MS, () => post({ type: 'resync' }))
      : undefined;
  return {
    receive: (message) => session.receive(message),
    close() {
      clearInterval(looks);
      session.close();
    },
  };
}
