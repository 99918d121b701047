import type { TimeRange } from '#shared/values/time.ts';
import type { RecordStore } from '../store/store.ts';
import { surveyDevice } from '../survey/survey-device.ts';
import type { Semaphore } from '../turns/semaphore.ts';
import { DIGESTS, type Counting, type Digested } from './digests.ts';
import { IDS, type Identified } from './ids.ts';

/** Records of a device, and the semaphore of surveys. */
export interface SurveyedDevice {
  readonly records: Pick<RecordStore, 'scan' | 'threadWork' | 'keys'>;
  readonly device: string;
  readonly semaphore: Semaphore;
  readonly signal: AbortSignal | undefined;
}

/** Filter that counts all records. */
export const ALL: Counting = { until: null, ahead: Infinity, removals: [] };

/** Digests of equal parts of a range, in another thread where records are many. Rejects as `surveyDevice`. */
export async function digestsOf(
  range: Required<TimeRange>,
  parts: number,
  counting: Counting,
  of: SurveyedDevice,
): Promise<Digested> {
  const keys = await of.records.keys(of.device, of.signal);
  // Beyond 2^53 µs nobody counts single ones, and no part is as short.
  const most = Math.min(parts, range.end - range.start + 1);
  return surveyDevice(DIGESTS, { range, keys, parts: most, counting }, of);
}

/** The ids of a range's records that begin with `prefix`; where there are more than `most`, one more than that. */
export async function idsOf(
  range: Required<TimeRange>,
  { prefix, most }: { readonly prefix: string; readonly most: number },
  of: SurveyedDevice,
): Promise<Identified> {
  const keys = await of.records.keys(of.device, of.signal);
  return surveyDevice(IDS, { range, keys, prefix, most }, of);
}
