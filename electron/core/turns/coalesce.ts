/**
 * Joins calls that wait: one run at a time, each with everything that was asked for meanwhile, in order. A run that
 * fails rejects all of its calls. `rest` is done after a run, before the next one, when its calls have been told; it throws
 * nothing.
 */
export function coalesce<Call>(
  run: (together: readonly Call[]) => Promise<void>,
  rest?: () => Promise<void>,
) {
  let waiting: {
    readonly call: Call;
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
        await run(together.map(({ call }) => call));
        for (const { resolve } of together) resolve();
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
      await rest?.();
    }
    draining = null;
  }

  return {
    add: (call: Call): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.push({ call, resolve, reject });
        draining ??= drain();
      }),
    /** Resolves once nothing waits or runs. */
    settled: async (): Promise<void> => {
      await draining;
    },
  };
}
