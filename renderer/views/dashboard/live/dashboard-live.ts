import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import type { Pace } from '../../../chart/compare/use-sources.ts';
import type { LiveSource } from '../../../stores/dashboard/live-groups.ts';
import { LiveStore, UNKNOWN, type Live } from './live-store.ts';
import { Pacer } from './pacer.ts';

interface DashboardLive {
  readonly store: LiveStore;
  readonly pacer: Pacer;
}

export const createDashboardLive = (): DashboardLive => ({ store: new LiveStore(), pacer: new Pacer() });

export const DashboardLiveContext = createContext<DashboardLive>(createDashboardLive());

/** Has a widget drawn in its turn among the others. */
export function usePace(): Pace {
  const { pacer } = useContext(DashboardLiveContext);
  const [who] = useState(() => ({}));
  useEffect(() => () => pacer.drop(who), [pacer, who]);
  // Drawn within its turn, so that the pacer knows what it took.
  return useCallback((work) => pacer.later(who, () => flushSync(work)), [pacer, who]);
}

const isOne = (one: Live, other: Live): boolean => one === other;

/**
 * Facts that are known of sources, in their order; `sources` is the same list for as long as they are the same. With `isSame` a widget is
 * drawn anew only where that says no; the same function each time.
 */
export function useLive(
  sources: readonly LiveSource[],
  isSame: (one: Live, other: Live) => boolean = isOne,
): readonly Live[] {
  const { store } = useContext(DashboardLiveContext);
  const pace = usePace();
  const last = useRef<readonly Live[]>([]);
  const read = useCallback(() => {
    const now = sources.map((source) => store.of(source));
    const { current: before } = last;
    const isKnown =
      now.length === before.length && now.every((live, at) => isSame(live, before[at] ?? UNKNOWN));
    if (!isKnown) last.current = now;
    return last.current;
  }, [store, sources, isSame]);
  const subscribe = useCallback(
    (changed: () => void) =>
      store.subscribe(() => {
        const before = last.current;
        const isNews = sources.some((source, at) => !isSame(store.of(source), before[at] ?? UNKNOWN));
        if (isNews) pace(changed);
      }),
    [store, sources, pace, isSame],
  );
  return useSyncExternalStore(subscribe, read);
}
