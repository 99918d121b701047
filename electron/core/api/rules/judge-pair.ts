import type { Micros } from '#shared/values/time.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import type { Judgement } from '../../rules/firing.ts';
import { devicesOf } from '../../store/store.ts';
import { KEPT_ALARMS } from '../alarms/trim-alarms.ts';
import type { Context } from '../context.ts';
import { viewed } from '../corrections/viewed.ts';
import { compareFirings, type KnownFiring } from './compare-firings.ts';
import { keepFirings, type Kept } from './keep-firings.ts';
import type { MakeWatch, Pair, Pairs } from './pairs.ts';
import { NO_RANGES, rangesOf } from './ranges-of.ts';

/** A clock that goes back by no more takes back no firing. */
const SLIP_US: Micros = 60_000_000;

interface Judge extends Pick<Context, 'metadata' | 'clock'> {
  readonly chance: Pick<Context['chance'], 'of'>;
  readonly makeWatch: MakeWatch;
}

/** Result of a judgement: the alarms that it changed, null for none, and when time alone may change it next. */
export interface JudgedPair extends Pick<Judgement, 'next' | 'cut'> {
  readonly kept: Kept | null;
}

/**
 * Judges a rule on a device as of now, and has its alarms say so, by one change where they differ. Resolves with 'coming' where its records
 * go or come back just now. Rejects with StoreError, or a Refusal where the metadata have no room.
 */
export async function judgePair(
  pair: Pair,
  pairs: Pairs,
  { metadata, clock, chance, makeWatch }: Judge,
): Promise<JudgedPair | 'coming'> {
  const { live, device_id } = pair;
  const { row, project, since } = live;
  if (await isComing(device_id, metadata)) return 'coming';
  const ranges = (await rangesOf(live.rule, { device_id }, metadata)).get(device_id) ?? NO_RANGES;
  const of = await viewed(device_id, 'corrected', { metadata });
  if (!pairs.has(pair)) return { kept: null, next: null, cut: null };
  pairs.reads(pair, devicesOf(of));
  const rows = (pair.rows ??= await rowsOf(pair, metadata));
  const { firings, next, cut } = await pair.watchOf(ranges, makeWatch).look(of, latest(clock.now(), rows));
  const now = clock.now();
  const bounds = { since, keep: Math.max(since, row.forgotten ?? -Infinity, now - KEPT_ALARMS.us) };
  if (!pairs.has(pair) || compareFirings(firings, rows, bounds).length === 0)
    return { kept: null, next, cut };
  const ids = chance.of(`${project.account_id} alarms ${row.id} ${device_id}`);
  const kept = await metadata.change((tables) =>
    keepFirings(tables, pair, { firings, bounds, now, chance: ids }),
  );
  pair.rows = kept?.rows ?? null;
  return { kept, next, cut };
}

function rowsOf({ live, device_id }: Pair, metadata: Context['metadata']): Awaitable<readonly KnownFiring[]> {
  return metadata.read(async (tables) => {
    const all = await tables.list('alarms', { function_id: live.row.id, device_id });
    return all.filter(({ since }) => since === live.since);
  });
}

/** Whether records of a device go or come back just now: what is there is half of it. */
const isComing = (device_id: string, metadata: Context['metadata']): Awaitable<boolean> =>
  metadata.read(async (tables) => {
    const kept = await tables.list('kept_deletes', { device_id });
    if (kept.some(({ state }) => state === 'keeping' || state === 'restoring')) return true;
    return (await tables.deletions()).some(({ kind }) => kind === 'snapshot');
  });

/** The clock, or when an alarm fired that says a little later: a clock that is put right takes nothing back. */
function latest(now: Micros, rows: readonly KnownFiring[]): Micros {
  let last = now;
  for (const { fired, withdrawn } of rows)
    if (withdrawn === null && fired > last && fired - now <= SLIP_US) last = fired;
  return last;
}
