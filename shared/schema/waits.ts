/** ms that an operation waits for what is still to come, at most. */
export const MOST_WAIT_MS = 60_000;
