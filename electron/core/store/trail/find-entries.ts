import { parseInstant, type Micros } from '#shared/values/time.ts';
import { Pace } from '../../turns/pace.ts';
import type { Entry } from './entry.ts';
import { readEntry } from './read-line.ts';
import type { Trail } from './trail.ts';

/** Which entries are asked for: all that is given must hold. */
interface EntryQuery {
  readonly project_id?: string | undefined;
  readonly device_id?: string | undefined;
  readonly key?: string | undefined;
  readonly by?: string | undefined;
  readonly operation?: string | undefined;
  /** µs, both included. */
  readonly start?: Micros | undefined;
  readonly end?: Micros | undefined;
  /** Of smaller numbers. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Entries, the last first, and whether there are more behind them. */
interface FoundEntries {
  readonly entries: readonly Entry[];
  readonly isMore: boolean;
}

/** Looks through the trail from its end, in slices of time; a line that cannot be read is passed over. Rejects with StoreError. */
export async function findEntries(
  trail: Pick<Trail, 'linesBack'>,
  query: EntryQuery,
  signal?: AbortSignal,
): Promise<FoundEntries> {
  const pace = new Pace();
  const entries: Entry[] = [];
  for await (const { text } of trail.linesBack(query.before)) {
    if (await pace.pause()) signal?.throwIfAborted();
    const entry = readEntry(text);
    if (!entry || !isAsked(entry, query)) continue;
    if (entries.length === query.limit) return { entries, isMore: true };
    entries.push(entry);
  }
  return { entries, isMore: false };
}

function isAsked(entry: Entry, query: EntryQuery): boolean {
  const { project_id, device_id, key, by, operation, start, end, before } = query;
  if (before !== undefined && entry.n >= before) return false;
  if (operation !== undefined && entry.operation !== operation) return false;
  if (project_id !== undefined && !entry.projects?.some(({ id }) => id === project_id)) return false;
  if (device_id !== undefined && !entry.devices?.some(({ id }) => id === device_id)) return false;
  if (key !== undefined && !entry.keys?.includes(key)) return false;
  if (by !== undefined && ![entry.by.id, entry.by.name, entry.by.kind].includes(by)) return false;
  if (start === undefined && end === undefined) return true;
  const at = parseInstant(entry.at) ?? Number.NaN;
  return at >= (start ?? -Infinity) && at <= (end ?? Infinity);
}
