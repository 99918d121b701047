import type { ChartSource } from '../load/data.ts';

/** Between two pictures while devices are still missing: each costs as much as the one of all of them. */
const PART_MS = 100;

type Source = Pick<ChartSource, 'useData'>;

/**
 * Calls `tell` once all that is asked of the sources is there; meanwhile that it is asked, and then parts of it, a little
 * later. Returns what ends that.
 */
export function listenTogether(sources: readonly Source[], tell: () => void): () => void {
  const isLoading = () => sources.some(({ useData: store }) => store.getState().state === 'loading');
  let isPart = isLoading();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const tellNow = () => {
    clearTimeout(waiting);
    waiting = undefined;
    tell();
  };
  const listener = () => {
    if (!isLoading()) tellNow();
    else waiting ??= setTimeout(tellNow, isPart ? PART_MS : 0);
    isPart = isLoading();
  };
  const stops = sources.map(({ useData: store }) => store.subscribe(listener));
  return () => {
    stops.forEach((stop) => stop());
    clearTimeout(waiting);
  };
}
