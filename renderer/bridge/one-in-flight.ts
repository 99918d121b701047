/**
 * Makes bursts cheap: `work` never runs twice at once, and calls that come while it runs (or rests `restMs` after
 * it) become one more run, so that the last call is always answered. `work` handles its own errors.
 */
export function oneInFlight(work: () => Promise<void>, restMs = 0): () => void {
  let busy = false;
  let again = false;

  async function run(): Promise<void> {
    busy = true;
    do {
      again = false;
      await work();
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    } while (again);
    busy = false;
  }

  return () => {
    if (busy) again = true;
    else void run();
  };
}
