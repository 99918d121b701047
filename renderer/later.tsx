import { lazy, Suspense, useState, type FunctionComponent, type ReactNode } from 'react';
import { LoadError, LoadGuard } from './components/work/load-guard.tsx';

/** Modules that are not loaded yet. */
const waiting = new Set<() => Promise<unknown>>();

/** The desktop app has its parts on disk, a browser from the service. */
const whyNot = () =>
  window.fieldbench
    ? 'its file could not be read from this computer’s disk. The app may have been updated while it ran'
    : 'the connection to the service was lost';

/**
 * A component whose code is not needed for the start. It comes once the app stands (`loadTheRest`), or when it is needed
 * before that; `meanwhile` is drawn until it is there.
 */
export function later<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  meanwhile: ReactNode = null,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | null = null;
  const get = async () => {
    try {
      loaded = await load();
    } catch (cause) {
      throw new LoadError(`This part of the app could not be loaded: ${whyNot()}.`, { cause });
    }
    waiting.delete(get);
    return loaded;
  };
  waiting.add(get);
  // React keeps a failure for good: who tries again gets another one.
  const begin = () => lazy(async () => ({ default: (await get()) as FunctionComponent<object> }));

  return function Later(props: Props) {
    // What is drawn must not be another component once it is loaded: it would lose what was entered.
    const [Shown] = useState(() => (loaded as FunctionComponent<object> | null) ?? begin());
    return (
      <LoadGuard>
        <Suspense fallback={meanwhile}>
          <Shown {...props} />
        </Suspense>
      </LoadGuard>
    );
  };
}

/**
 * Loads what the start did without, once the app stands: so that it is there when the service is not. What does not come
 * is asked for again by whoever needs it, and that says why it failed.
 */
export async function loadTheRest(): Promise<void> {
  await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 }));
  await Promise.allSettled([...waiting].map((get) => get()));
}
