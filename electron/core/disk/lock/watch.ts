import { machineClock } from '../../base/machine-clock.ts';
import { readClaim, type Claim } from './claim.ts';

/** ms between two heartbeats of a claim. */
export const BEAT_MS = 3000;

/** ms without a heartbeat until a claim's process counts as dead: three beats, and one for a busy disk. */
export const watchMs = (beatMs: number) => 4 * beatMs;

/**
 * Watches for a heartbeat of a claim that read `before`; resolves with false without one, or where the claim is gone. Throws
 * Node's errors and the signal's reason.
 */
export async function watch(
  folder: string,
  claim: Pick<Claim, 'name'>,
  before: string,
  beatMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  for (const until = machineClock.monotonicMs() + watchMs(beatMs); machineClock.monotonicMs() < until;) {
    signal?.throwIfAborted();
    await machineClock.delay(beatMs / 10);
    const now = await readClaim(folder, claim);
    if (now === null) return false;
    if (now.raw !== before) return true;
  }
  return false;
}
