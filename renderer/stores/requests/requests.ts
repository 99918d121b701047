import { create } from 'zustand';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { ask } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { createResource } from '../resource.ts';
import { merged, MOST_SHOWN, upToMost } from './merge.ts';

/** As many as are kept of a device for sure. */
const OF_DEVICE = 50;

/** The last requests of a device, by its id, newest first. */
export const requestsOf = createResource<readonly SeenRequest[], string>({
  read: (device_id) => ask('requests.list', { device_id, limit: OF_DEVICE }),
  changes: (device_id, changed) => bridge.subscribe('requests.seen', changed, { device_id }),
  restMs: 250,
});

/** Requests that are asked for at once. */
const PAGE = 1000;

/** Id of the newest request that is shown while the list stands still; null while it follows. */
export const useHeld = create<{ readonly at: number | null }>(() => ({ at: null }));

/** What is known of the service's requests: newest first, and the greatest `change` among them; null before the first reading. */
let known: { readonly rows: readonly SeenRequest[]; readonly change: number } | null = null;
/** Counts how often all of it was given up: what was asked for before that is of no use. */
let given = 0;

function readAnew(): void {
  known = null;
  given++;
}

/** The last requests of all senders, newest first. After the first reading only what came or was counted since is read. */
export const lastRequests = createResource<readonly SeenRequest[], 'all'>({
  async read() {
    const of = given;
    const before = known;
    const found = await readSince(before?.change);
    const [newest] = found;
    // Those of a later page may have changed while it was read: the first page alone says what is known by now.
    const change = Math.max(before?.change ?? 0, ...found.slice(0, PAGE).map((request) => request.change));
    const rows = newest === undefined ? (before?.rows ?? []) : merged(before?.rows ?? [], found);
    if (of !== given) return rows;
    known = { rows: upToMost(rows, useHeld.getState().at), change };
    return known.rows;
  },
  changes(_all, changed) {
    readAnew();
    return bridge.subscribe('requests.seen', ({ count }) => {
      // Some went, or are otherwise.
      if (count === 0) readAnew();
      changed();
    });
  },
  restMs: 250,
});

/** What came or was counted behind a `change`, newest first, page by page; absent: all. */
async function readSince(after: number | undefined): Promise<readonly SeenRequest[]> {
  const found: SeenRequest[] = [];
  for (;;) {
    const last = found.at(-1);
    const page = await ask('requests.list', {
      limit: PAGE,
      ...(after !== undefined && { after }),
      ...(last && { before: last.id }),
    });
    found.push(...page);
    if (page.length < PAGE || found.length >= MOST_SHOWN) return found;
  }
}
