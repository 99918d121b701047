import { MOST_IDS } from '#shared/operations/records/sync.ts';
import { formatMicros } from '#shared/values/time.ts';
import { LabLost, LabRefusal, type Lab } from '#core/push/lab.ts';
import type { RecordStore } from '#core/store/store.ts';
import { readSent } from '#core/sync/lines.ts';
import { mergeRecords } from '#core/sync/merge.ts';
import type { Removal } from '#core/sync/removals.ts';
import { ALL, digestsOf, idsOf } from '#core/sync/survey-records.ts';
import { FairSemaphore } from '#core/turns/semaphore.ts';

/** A lab of one project and one device over a store, without HTTP, which may be cut off. */
export interface StoreLab extends Lab {
  readonly removals: Removal[];
  /** The lab has the device from now on, whoever made it. */
  meetDevice(): void;
  /** How many requests are answered before it is lost; one that it takes may be lost on its way back. */
  cutAfter(requests: number, answerIsLost: boolean): void;
  /** Requests so far. */
  readonly requests: number;
  /** It refuses what is merged with this status from now on; null takes it back. */
  refuse(status: number | null): void;
}

export function storeLab(
  store: RecordStore,
  { project_id, device_id, hasDevice }: { project_id: string; device_id: string; hasDevice: boolean },
): StoreLab {
  let isThere = hasDevice;
  let requests = 0;
  let sentBytes = 0;
  let left = Infinity;
  let isAnswerLost = false;
  let refused: number | null = null;
  const removals: Removal[] = [];
  const lost = () => new LabLost('The wire was cut.');
  const of = {
    records: store,
    device: device_id,
    semaphore: new FairSemaphore(2).of(null),
    signal: undefined,
  };

  async function answer<T>(work: () => Promise<T>): Promise<T> {
    requests++;
    if (left <= 0) throw lost();
    left--;
    if (left > 0 || !isAnswerLost) return work();
    await work();
    throw lost();
  }

  return {
    removals,
    meetDevice: () => void (isThere = true),
    cutAfter(some, answerIsLost) {
      left = some;
      isAnswerLost = answerIsLost;
    },
    refuse: (status) => void (refused = status),
    get requests() {
      return requests;
    },
    get sentBytes() {
      return sentBytes;
    },
    look: (asked) =>
      answer(async () => ({
        installation_id: 'lab',
        projects: asked.projects.map(({ id, name }) => ({
          id,
          state: 'there' as const,
          deleted_at: null,
          namesakes: [],
          fields: { name, description: '' },
        })),
        devices: await Promise.all(
          asked.devices.map(async ({ id, name }) => ({
            id,
            state: isThere ? ('there' as const) : ('new' as const),
            deleted_at: null,
            namesakes: [],
            project_id: isThere ? project_id : null,
            fields: isThere ? fieldsOf(name) : null,
            records: await store.count(id),
            removals: removals.map(({ start, end, at }) => ({
              start: start === null ? null : formatMicros(start),
              end: end === null ? null : formatMicros(end),
              at: formatMicros(at),
            })),
          })),
        ),
      })),
    addProject: () => answer(async () => true),
    addDevice: () => answer(async () => (isThere = true)),
    updateProject: () => answer(async () => undefined),
    updateDevice: () => answer(async () => undefined),
    digests: (_place, range, parts) => answer(async () => (await digestsOf(range, parts, ALL, of)).parts),
    ids: (_place, range, prefix) => answer(() => idsOf(range, { prefix, most: MOST_IDS }, of)),
    merge: (_place, lines, removed) =>
      answer(async () => {
        if (refused !== null) throw new LabRefusal(refused, 'The lab does not want it.');
        sentBytes += lines.length;
        const sent = await readSent(Buffer.from(lines));
        const left_out = removed === 'store' ? [] : removals;
        return mergeRecords({
          records: store,
          device: device_id,
          sent,
          removals: () => Promise.resolve(left_out),
          signal: undefined,
        });
      }),
    mergeCorrections: () => answer(async () => ({ added: 0, present: 0, conflicting: 0 })),
    mergeRows: () => answer(async () => []),
    noteJudged: () => answer(async () => undefined),
    rehearse: () => answer(async () => undefined),
    close: () => undefined,
  };
}

export const fieldsOf = (name: string) => ({
  name,
  description: '',
  tags: [],
  brand: '',
  model: '',
  metadata: {},
  interval_s: null,
});
