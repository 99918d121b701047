import { Refusal, StoreError } from '../../base/errors.ts';
import { decodeAgain, Differences } from '../../functions/decode-again.ts';
import type { Decoder } from '../../functions/decoders.ts';
import type { KeptDelete, StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import { formatSeconds, type TimeRange } from '#shared/values/time.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { beginKeeping, isPoisoned, noteKept, type Keeper } from '../removal/keeping.ts';
import { keepingOf } from '../under-way.ts';

/** How often the records are decoded anew because others came in between. */
const MOST_TRIES = 5;

type Of = Keeper & Pick<Context, 'decoders'>;

interface Asked {
  readonly project: StoredProject;
  readonly device: StoredDevice;
  readonly range: TimeRange;
  readonly decoder: Decoder;
  readonly principal: Principal;
  readonly signal: AbortSignal | undefined;
}

/**
 * Decodes the records of a range again, as a job: the new ones take the place of the old ones in one switch, and these are kept for
 * undo (docs/functions.md, "Decode the past again"). Rejects with a 503 Refusal where records of the range came again and again
 * meanwhile.
 */
export function decodeRecords(asked: Asked, context: Of) {
  const { project, device, signal } = asked;
  const job = {
    kind: 'decode',
    account_id: project.account_id,
    project_id: project.id,
    device_id: device.id,
    name: device.name,
    unit: 'records',
    total: null,
    stop: new AbortController(),
  } as const;
  return context.work.during(keepingOf(device.id), () =>
    context.jobs.run(
      job,
      async (progress, stop) => {
        const either = signal ? AbortSignal.any([signal, stop]) : stop;
        for (let tries = 0; tries < MOST_TRIES; tries++) {
          const decoded = await decodeOnce(asked, context, progress, either);
          if (decoded !== null) return decoded;
        }
        throw new Refusal(
          503,
          `Records of the range came while it was decoded, ${MOST_TRIES} times: name an end, or try again in a while.`,
        );
      },
      signal,
    ),
  );
}

/** Null where others came in between: nothing was changed. */
async function decodeOnce(
  { project, device, range, decoder, principal }: Asked,
  context: Of,
  progress: (records: number) => void,
  signal: AbortSignal,
) {
  const { records, decoders, events } = context;
  const revision = await records.revision(device.id);
  const { records: expected, first, last } = await records.within(device.id, range);
  const found = new Differences(0);
  if (first === null || last === null) return answerOf(found, null);
  // Records behind the last one are decoded as they come.
  const within = { start: first, end: last };
  const batch = await records.batch(device.id);
  try {
    for await (const stretch of decodeAgain(
      { records, decoders },
      { device, range: within, decoder, signal },
    )) {
      found.add(stretch);
      await batch.add(stretch.map(({ after }) => after));
      progress(stretch.length);
    }
    if (found.changed === 0) {
      await batch.abort();
      return answerOf(found, null);
    }
    const of = { account_id: project.account_id, project_id: project.id, device_id: device.id };
    const begun = await beginKeeping({ ...of, kind: 'decode' }, within, principal, context);
    const isSwitched = await batch
      .replace({ name: begun.id, range: within, revision, expected })
      .catch(async (error: unknown) => {
        // Where the state of the disk is unknown the next start finds out.
        if (!isPoisoned(error)) await settleSwitch(begun, context);
        throw error;
      });
    const row = await settleSwitch(begun, context);
    if (!isSwitched) return null;
    events.publish('records.removed', { ...of, restored: true });
    events.publish('undo.changed', { account_id: of.account_id, project_id: of.project_id });
    return answerOf(found, row);
  } catch (error) {
    await batch.abort();
    throw error;
  }
}

/** Notes what a switch keeps; where it did not happen, nothing. Where the metadata cannot be written the next start does so. */
async function settleSwitch(begun: KeptDelete, context: Of): Promise<KeptDelete | null> {
  const { metadata, records } = context;
  const { id, device_id = '' } = begun;
  try {
    const kept = (await records.kept(device_id)).find(({ name }) => name === id);
    if (kept) return await noteKept(begun, kept, context);
    await metadata.change((tables) => tables.remove('kept_deletes', id));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
  return null;
}

function answerOf({ payloads, changed, failing, mended }: Differences, row: KeptDelete | null) {
  const undo = row && { id: row.id, until: formatSeconds(row.until) };
  return { payloads, changed, failing, mended, undo };
}
