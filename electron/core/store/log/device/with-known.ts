import type { Files } from '../../../disk/files.ts';
import { KnownRows } from '../../blocks/query/known-rows.ts';
import type { SortedRows } from '../../blocks/query/sorted-rows.ts';
import { Timeline } from '../../blocks/query/timeline.ts';
import type { KnownRecords, WithKnown } from '../../store.ts';
import { readSnapshot } from './snapshot/read-snapshot.ts';

/** Finds records in what snapshot.ts tells of a device, in any thread. */
export const withKnown: WithKnown = (parts, work) => withKnownIn(parts, work);

/** The same; `files` are those of the store, where it is in this thread. */
export async function withKnownIn<T>(
  parts: unknown,
  work: (known: KnownRecords) => Promise<T>,
  files?: Files,
): Promise<T> {
  const found = async function* (sources: readonly SortedRows[]) {
    yield await work(new KnownRows(new Timeline(sources)));
  };
  const read = readSnapshot(parts, found, files);
  const { value, done } = await read.next();
  await read.return(undefined);
  if (done) throw new Error('There was nothing to read.');
  return value;
}
