import type { Asked } from './secrets.ts';

/** Returns what ends it: throws where it failed, and cuts it off where it was not answered yet. */
export function underWay({ work, answered, cut }: Asked): () => void {
  let state: 'under-way' | 'answered' | 'over' = 'under-way';
  let failure: unknown = null;
  const watch = async () => {
    try {
      await work;
      if (state !== 'under-way') return;
      state = 'answered';
      answered();
    } catch (error) {
      failure = error;
    }
  };
  void watch();
  return () => {
    if (failure !== null) throw failure;
    if (state === 'under-way') cut();
    state = 'over';
  };
}
