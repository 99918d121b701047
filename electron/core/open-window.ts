import type { ServerMessage } from '#shared/wire.ts';
import type { Dispatch } from './api/call.ts';
import type { Context } from './api/context.ts';
import { current } from './api/principal.ts';
import { openSwitchboard } from './bridge/remote/switchboard.ts';
import { openSession } from './bridge/session.ts';
import type { Logger } from './logger.ts';
import type { Service } from './running-service.ts';

/** Makes what connects windows (`Service.openWindow`). */
export function createOpenWindow({
  context,
  dispatch,
  log,
}: {
  readonly context: Context;
  readonly dispatch: Dispatch;
  readonly log: Logger;
}): Service['openWindow'] {
  const { events, otherServices } = context;
  return (principal, post, room) => {
    const session = { dispatch, authenticate: () => current(principal, context), events, log };
    const openHere = (hear: (message: ServerMessage) => void) =>
      openSession({ ...session, post: hear, ...(room && { room }) });
    // Who comes by a key looks at this service alone: what this machine reaches is not for others.
    return principal.key_id === null
      ? openSwitchboard({ openHere, otherServices, post, log })
      : openHere(post);
  };
}
