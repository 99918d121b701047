import { z } from 'zod';
import type { Logger } from '../../base/logger.ts';
import type { OtherServices } from '../../remote/other-services.ts';
import type { PostedMessage, ServerMessage } from '#shared/bridge/wire.ts';
import type { Session } from '../session.ts';
import { openDistantWindow } from './distant-window.ts';

/** Services elsewhere that one window looks at at once. */
const MOST_DISTANT = 16;

/** Address of a message. */
const addressed = z.object({ at: z.string().max(64) });

export interface SwitchboardOptions {
  /** Opens the window's session with the service itself. */
  readonly openHere: (post: (message: ServerMessage) => void) => Session;
  readonly otherServices: OtherServices;
  readonly post: (message: PostedMessage) => void;
  readonly log: Logger;
}

/** A window of this machine: what it sends goes to the service itself or, where it says `at`, to one elsewhere. */
export function openSwitchboard({ openHere, otherServices, post, log }: SwitchboardOptions): Session {
  const here = openHere(post);
  const distant = new Map<string, Session>();

  function windowAt(at: string): Session | null {
    const known = distant.get(at);
    if (known) return known;
    if (distant.size >= MOST_DISTANT) {
      log.warn(`A window looks at ${MOST_DISTANT} other services at once; one more is left out.`);
      return null;
    }
    const opened = openDistantWindow({
      id: at,
      otherServices,
      post: (message) => post({ ...message, at }),
      log,
    });
    distant.set(at, opened);
    return opened;
  }

  return {
    arrives: (bytes) => here.arrives?.(bytes),
    receive(message, bytes) {
      const read = addressed.safeParse(message);
      if (read.success) windowAt(read.data.at)?.receive(message);
      else here.receive(message, bytes);
    },
    close() {
      here.close();
      for (const session of distant.values()) session.close();
    },
  };
}
