import type { OutputOf } from '#shared/operations/index.ts';
import type { PushPlan } from '#shared/operations/records/push.ts';
import type { LookedDevice } from '#shared/operations/records/sync.ts';
import { digestOfVersions, sentVersion, type CorrectionVersion } from '../sync/correction-versions.ts';
import type { Lab, Place } from './lab.ts';
import { problemOf } from './problem.ts';

/* Corrections on their way to a lab (docs/push.md): those of their versions that it lacks. */

type Merged = OutputOf<'sync.corrections'>;

const NONE: Merged = { added: 0, present: 0, conflicting: 0 };
/** Whose corrections the lab judges beside one another, all of a request being there. */
const JUDGED_TOGETHER: ReadonlySet<string | undefined> = new Set(['derived', 'replaced']);
/** Of a request, at most: a body of JSON has a limit of values, too. All versions of a correction go together. */
const BYTES_AT_ONCE = 400_000;

/** Resolves with what the lab would add. `place`: null where the lab does not have the device yet. Rejects as the lab does. */
export async function planCorrections(
  versions: readonly CorrectionVersion[],
  { corrections }: Pick<LookedDevice, 'corrections'>,
  place: Place | null,
  lab: Pick<Lab, 'mergeCorrections'>,
): Promise<Merged> {
  if (versions.length === 0 || corrections === digestOfVersions(versions)) return NONE;
  if (place === null) return { ...NONE, added: versions.length };
  // An earlier Fieldbench knows no corrections.
  return corrections === undefined ? NONE : sendCorrections(versions, place, lab, true);
}

/** Resolves with what the lab added, or would add. Rejects as the lab does. */
export async function sendCorrections(
  versions: readonly CorrectionVersion[],
  place: Place,
  lab: Pick<Lab, 'mergeCorrections'>,
  isDryRun: boolean,
): Promise<Merged> {
  let all = NONE;
  for (const some of inParts(versions)) {
    const { added, present, conflicting } = await lab.mergeCorrections(
      place,
      some.map(sentVersion),
      isDryRun,
    );
    all = {
      added: all.added + added,
      present: all.present + present,
      conflicting: all.conflicting + conflicting,
    };
  }
  return all;
}

/**
 * Corrections that fit into a request together, one at least; those that are judged together go first. Others go in the order in which they
 * were made: of those that overlap the newest holds, in the lab, too.
 */
function* inParts(versions: readonly CorrectionVersion[]): Generator<readonly CorrectionVersion[]> {
  let part: CorrectionVersion[] = [];
  let bytes = 0;
  const all = [...Map.groupBy(versions, ({ correction_id }) => correction_id).values()].toSorted(asMade);
  const [together = [], others = []] = [true, false].map((are) =>
    all.filter((own) => own.some(({ what }) => JUDGED_TOGETHER.has(what?.kind)) === are),
  );
  for (const own of [...together, ...others]) {
    const size = Buffer.byteLength(JSON.stringify(own.map(sentVersion)));
    if (part.length > 0 && bytes + size > BYTES_AT_ONCE) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(...own);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

const asMade = ([a]: readonly CorrectionVersion[], [b]: readonly CorrectionVersion[]): number =>
  a && b ? a.first - b.first || a.place - b.place : 0;

/** The versions with devices that go before by their ids in the lab. */
export function versionsFor(
  versions: readonly CorrectionVersion[] | undefined,
  idThere: (id: string) => string,
): readonly CorrectionVersion[] {
  return (versions ?? []).map((each) =>
    each.what?.kind === 'replaced'
      ? { ...each, what: { ...each.what, device_id: idThere(each.what.device_id) } }
      : each,
  );
}

/** The ids of a plan's devices in the lab, by theirs here; any other is the same there. */
export function idsThere({ devices }: Pick<PushPlan, 'devices'>): (id: string) => string {
  const ids = new Map(devices.map(({ id, into }) => [id, into]));
  return (id) => ids.get(id) ?? id;
}

/** Returns why corrections were not sent, for people: all else of a device goes. Rethrows as `problemOf`. */
export const refusedCorrections = (error: unknown): string =>
  `Its corrections stay as they are in the lab: ${problemOf(error)}`;
