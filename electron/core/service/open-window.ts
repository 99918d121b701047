import type { PostedMessage, ServerMessage } from '#shared/bridge/wire.ts';
import type { Dispatch } from '../api/call.ts';
import type { Context } from '../api/context.ts';
import { current, inBrowser } from '../api/principal.ts';
import type { OpenWindow } from '../bridge/open-window.ts';
import { openSwitchboard } from '../bridge/remote/switchboard.ts';
import { OfferedFiles } from '../bridge/offered-files.ts';
import { openSavingWindow } from '../bridge/saving-window.ts';
import { openSession } from '../bridge/session.ts';
import { askerOfPrincipal, type Asker, type MemoryBudget } from '../ingest/memory-budget.ts';
import type { Logger } from '../base/logger.ts';
import { FairSemaphore } from '../turns/semaphore.ts';

/** Pages that are read into values at once for all windows, and for those of one API key: each takes some 40 MB. */
const PAGES = 3;
const PAGES_OF_ONE = 2;

function holdFor(asker: Asker, budget: MemoryBudget) {
  const held = budget.hold();
  return { take: (bytes: number) => held.take(asker, bytes), release: () => held.release() };
}

/** Makes what connects windows, and the files that their browsers fetch. */
export function createWindows({
  context,
  dispatch,
  budget,
  log,
}: {
  readonly context: Context;
  readonly dispatch: Dispatch;
  readonly budget: MemoryBudget;
  readonly log: Logger;
}): { readonly openWindow: OpenWindow; readonly offered: OfferedFiles } {
  const { events, otherServices, work } = context;
  const pages = new FairSemaphore(PAGES, PAGES_OF_ONE);
  const offered = new OfferedFiles();
  const openWindow: OpenWindow = (principal, post, wire) => {
    const who = principal.key_id === null && wire ? inBrowser(principal) : principal;
    const session = {
      dispatch,
      authenticate: () => current(who, context),
      pages: pages.of(principal.key_id),
      hold: () => holdFor(askerOfPrincipal(principal), budget),
      events,
      log,
      ...(wire && { wire }),
    };
    const openHere = (listener: (message: ServerMessage) => void) =>
      openSession({ ...session, post: listener });
    // Who comes by a key looks at this service alone: what this machine reaches is not for others.
    if (principal.key_id !== null) return openHere(post);
    const open = (listener: (message: PostedMessage) => void) =>
      openSwitchboard({ openHere, otherServices, post: listener, log });
    // A browser may be led to another service of a lab, which knows nothing of this one's files.
    const mayFetch = wire === undefined || !work.isShared;
    return mayFetch ? openSavingWindow({ open, post, offered }) : open(post);
  };
  return { openWindow, offered };
}
