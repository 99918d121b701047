/**
 * Joins calls that wait: one run at a time, each with everything that was asked for meanwhile, in order. A run that
 * fails rejects all of its calls.
 */
export function coalesce<Change>(run: (together: readonly Change[]) => Promise<void>) {
  let waiting: {
    readonly change: Change;
    readonly resolve: () => void;
    readonly reject: (reason: unknown) => void;
  }[] = [];
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    // Lets everything that was called in the same turn ride the first run.
    await Promise.resolve();
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      try {
        await run(together.map(({ change }) => change));
        for (const { resolve } of together) resolve();
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    draining = null;
  }

  return {
    add: (change: Change): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.push({ change, resolve, reject });
        draining ??= drain();
      }),
    /** Resolves once nothing waits or runs. */
    async settled(): Promise<void> {
      await draining;
    },
  };
}
