import { StoreError, ThreadError } from '../base/errors.ts';
import { BOOLEAN, NUMBER, TEXT } from '../store/record-columns.ts';
import {
  ROW,
  type RecordStore,
  type StoredRecord,
  type TakeCell,
  type ThreadWork,
  type Viewed,
} from '../store/store.ts';
import type { Semaphore } from '../turns/semaphore.ts';
import type { Survey, SurveyQuery } from './survey.ts';

/** Damaged places that one survey begins anew for, each time without the last one. */
const MOST_DAMAGE = 64;

export interface SurveyOptions {
  readonly records: Pick<RecordStore, 'scan' | 'threadWork'>;
  readonly device: Viewed;
  /** Semaphore of surveys of many records: each holds memory, and a window that moves asks often. */
  readonly semaphore: Semaphore;
  readonly signal: AbortSignal | undefined;
}

/**
 * Surveys a snapshot of a device taken at its turn: in another thread where its records are many. Damaged records are left
 * out. Rejects with a StoreError or ThreadError, or with the signal's reason.
 */
export async function surveyDevice<Query extends SurveyQuery, Result>(
  survey: Survey<Query, Result>,
  query: Query,
  options: SurveyOptions,
): Promise<Result> {
  const { records, device, semaphore, signal } = options;
  const { threadWork } = records;
  const here = () => aroundDamage(() => surveyHere(survey, query, options));
  if (threadWork === null || (await isLittle(threadWork, device))) return here();
  const found = await semaphore.run(
    () => aroundDamage(() => onceMore(() => surveyInThread(survey, query, threadWork, options))),
    signal,
  );
  // Most of it went while others had their turn.
  return found === null ? here() : found.result;
}

async function isLittle(threadWork: ThreadWork, device: Viewed): Promise<boolean> {
  const snapshot = await threadWork.snapshot(device);
  await snapshot?.release();
  return snapshot === null;
}

/** Begins anew where what was read turned out to be damaged: it is left out then. */
async function aroundDamage<T>(work: () => Promise<T>): Promise<T> {
  for (let damage = 0; ; damage++)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'damaged' || damage === MOST_DAMAGE) throw error;
    }
}

/** Begins anew where the thread ended with other work. */
async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ThreadError) || error.code !== 'ended') throw error;
    return work();
  }
}

/** Null where there is too little for a thread. */
async function surveyInThread<Query extends SurveyQuery, Result>(
  { kind }: Survey<Query, Result>,
  query: Query,
  threadWork: ThreadWork,
  { device, signal }: SurveyOptions,
): Promise<{ readonly result: Result } | null> {
  const snapshot = await threadWork.snapshot(device);
  if (snapshot === null) return null;
  const output = ({ damaged }: { readonly damaged: unknown }) => {
    throw snapshot.damaged(damaged);
  };
  try {
    const start = { parts: snapshot.parts, query };
    return { result: await threadWork.threads.run(kind, start, { output, ...(signal && { signal }) }) };
  } finally {
    await snapshot.release();
  }
}

/** In this thread, in slices of time. */
async function surveyHere<Query extends SurveyQuery, Result>(
  { held, rows = false, begin }: Survey<Query, Result>,
  query: Query,
  { records, device, signal }: SurveyOptions,
): Promise<Result> {
  const fold = begin(query);
  const { range, keys } = query;
  const places = new Map(keys.map((key, place) => [key, place]));
  // What a key held before the range may have come long before it.
  const scanned = held && range.end !== undefined ? { end: range.end } : held ? {} : range;
  do
    for await (const some of records.scan(device, scanned)) {
      signal?.throwIfAborted();
      for (const record of some) {
        if (rows) fold.take(ROW, record.timestamp, NUMBER, record.received, '');
        takeRecord(record, places, fold.take);
      }
      if (fold.settle !== undefined) await fold.settle();
      if (fold.isOver) break;
    }
  while (fold.again?.() === true);
  return fold.result();
}

function takeRecord(
  { timestamp, keys, values }: StoredRecord,
  places: ReadonlyMap<string, number>,
  take: TakeCell,
): void {
  for (let i = 0; i < keys.length; i++) {
    const place = places.get(keys[i]!);
    if (place === undefined) continue;
    const value = values[i]!;
    if (typeof value === 'string') take(place, timestamp, TEXT, 0, value);
    else take(place, timestamp, typeof value === 'number' ? NUMBER : BOOLEAN, Number(value), '');
  }
}
