import type { Correction } from '#shared/domain/corrections.ts';
import { andThen, type Awaitable } from '../../base/awaitable.ts';
import type { Lens } from '../lens.ts';
import type { StoredCorrection, StoredDevice } from './metadata-schema.ts';
import type { Metadata, Tables } from './metadata.ts';

type Reader = Pick<Metadata, 'read'>;
type DeviceId = Pick<StoredDevice, 'id'>;

/** Oldest first; what came back of a backup has its own time, and a later `sequence`. */
export const inPlace = (rows: readonly StoredCorrection[]): readonly StoredCorrection[] =>
  rows.toSorted((a, b) => a.created - b.created || a.sequence - b.sequence);

/**
 * Returns the corrections of a device, the oldest first; a changed one keeps its place. Each is the same object for as long as
 * it is not changed.
 */
export const correctionsOf = (metadata: Reader, { id }: DeviceId): Awaitable<readonly Correction[]> =>
  metadata.read((tables) => correctionsIn(tables, id));

const correctionsIn = (tables: Tables, device_id: string): Awaitable<readonly Correction[]> =>
  andThen(tables.list('corrections', { device_id }), (rows) => inPlace(rows).map(({ what }) => what));

/** Returns what the corrected view of a device is read through; null where nothing is corrected. */
export const lensOf = (metadata: Reader, { id }: DeviceId): Awaitable<Lens | null> =>
  metadata.read((tables) => lensIn(tables, id));

const lensIn = (tables: Tables, device_id: string): Awaitable<Lens | null> =>
  lensWithout(tables, device_id, new Set([device_id]));

/**
 * Lenses of the devices of a project, by their ids; those without corrections are left out. One question, however many devices
 * there are.
 */
export const lensesOf = (metadata: Reader, project_id: string): Awaitable<ReadonlyMap<string, Lens>> =>
  metadata.read((tables) =>
    andThen<readonly StoredCorrection[], ReadonlyMap<string, Lens>>(
      tables.list('corrections', { project_id }),
      (rows) =>
        rows.length === 0 ? NO_LENSES : lensesIn(tables, new Set(rows.map(({ device_id }) => device_id))),
    ),
  );

const NO_LENSES: ReadonlyMap<string, Lens> = new Map();

async function lensesIn(tables: Tables, device_ids: Iterable<string>): Promise<ReadonlyMap<string, Lens>> {
  const lenses = new Map<string, Lens>();
  for (const device_id of device_ids) {
    const lens = await lensIn(tables, device_id);
    if (lens) lenses.set(device_id, lens);
  }
  return lenses;
}

/**
 * `seen`: devices that are in it already. One that comes again is passed over, as one that is deleted is, and one of
 * another account: a restore, or an undo after a merge, may bring back what nobody could have entered.
 */
function lensWithout(tables: Tables, device_id: string, seen: Set<string>): Awaitable<Lens | null> {
  return andThen<readonly Correction[], Lens | null>(correctionsIn(tables, device_id), (corrections) => {
    if (corrections.length === 0) return null;
    if (!corrections.some(({ kind }) => kind === 'replaced')) return known({ corrections, formers: [] });
    return withFormers(tables, device_id, corrections, seen);
  });
}

async function withFormers(
  tables: Tables,
  device_id: string,
  corrections: readonly Correction[],
  seen: Set<string>,
): Promise<Lens> {
  const account = await accountOf(tables, device_id);
  const formers: Lens['formers'][number][] = [];
  for (const correction of corrections) {
    if (correction.kind !== 'replaced' || seen.has(correction.device_id)) continue;
    const { device_id: device, until } = correction;
    const its = await accountOf(tables, device);
    if (its === null || its !== account) continue;
    seen.add(device);
    formers.push({ device, until, lens: await lensWithout(tables, device, seen) });
  }
  return known({ corrections, formers });
}

/** Resolves with the account of a device; null where that is not there. */
async function accountOf(tables: Tables, device_id: string): Promise<string | null> {
  const device = await tables.get('devices', device_id);
  const project = device && (await tables.get('projects', device.project_id));
  return project?.account_id ?? null;
}

/** The last lens that was made with its newest correction. */
const made = new WeakMap<Correction, Lens>();

/** Returns the lens that says the same and was there before: what readers make of it lasts as long as the object. */
function known(lens: Lens): Lens {
  const newest = lens.corrections.at(-1)!;
  const before = made.get(newest);
  if (before !== undefined && areSame(before, lens)) return before;
  made.set(newest, lens);
  return lens;
}

function areSame(a: Lens, b: Lens): boolean {
  return (
    a.corrections.length === b.corrections.length &&
    a.formers.length === b.formers.length &&
    a.corrections.every((each, i) => each === b.corrections[i]) &&
    a.formers.every((each, i) => each.device === b.formers[i]?.device && each.lens === b.formers[i].lens)
  );
}
