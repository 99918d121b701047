import { KnownRows } from '../../blocks/query/known-rows.ts';
import { Timeline } from '../../blocks/query/timeline.ts';
import type { WithKnown } from '../../store.ts';
import { readSnapshot } from './snapshot/read-snapshot.ts';

/** Finds records in what snapshot.ts tells of a device, in any thread. */
export const withKnown: WithKnown = async (parts, work) => {
  const read = readSnapshot(parts, async function* (sources) {
    yield await work(new KnownRows(new Timeline(sources)));
  });
  const { value, done } = await read.next();
  await read.return(undefined);
  if (done) throw new Error('There was nothing to read.');
  return value;
};
