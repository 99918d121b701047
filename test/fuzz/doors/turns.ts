/** ms of one turn, in which nobody else is served. */
const LONGEST_TURN_MS = 250;
/** A turn counts once the same input has taken as long so many times more: what else runs on the machine does not repeat. */
const AGAIN = 3;

/**
 * Rejects where an input keeps everyone waiting each time that it is handed in. `hand` does so and resolves with the longest
 * turn meanwhile, in ms that its thread had a processor.
 */
export async function expectQuick(hand: () => Promise<number>): Promise<void> {
  let longest = Infinity;
  for (let time = 0; time <= AGAIN; time++) {
    const ms = await hand();
    if (ms <= LONGEST_TURN_MS) return;
    longest = Math.min(longest, ms);
  }
  throw new Error(
    `The input kept everyone waiting for ${Math.round(longest)} ms and more, each of ${AGAIN + 1} times.`,
  );
}
