import { machineClock } from '../../base/machine-clock.ts';
import { REASON, type Reason } from '../packets/reasons.ts';
import type { Wire } from '../packets/wire.ts';

/**
 * Ends a connection on which nothing comes for one and a half times its keep-alive (3.1.2.10): a large packet takes its time on a slow
 * line. Returns the timer, which each byte refreshes; null where any silence is fine.
 */
export function expectPackets(
  { keepAlive }: { readonly keepAlive: number },
  wire: Pick<Wire, 'isPaused'>,
  end: (reason: Reason, message: string) => void,
): NodeJS.Timeout | null {
  if (keepAlive === 0) return null;
  const timer = machineClock
    .after(keepAlive * 1500, () => {
      // Whom nobody listens to is not silent.
      if (wire.isPaused) timer.refresh();
      else end(REASON.keepAliveTimeout, `Nothing came for ${keepAlive * 1.5} s (3.1.2.10).`);
    })
    .unref();
  return timer;
}
