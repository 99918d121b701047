import { machineClock } from '../../base/machine-clock.ts';
import { REASON, type Reason } from '../packets/reasons.ts';
import type { Wire } from '../packets/wire.ts';

/** Ends a connection on which nothing comes for one and a half times its keep-alive (3.1.2.10). */
export class KeepAlive {
  readonly #timer: NodeJS.Timeout;
  /** Whether nothing has come since the time was over. */
  #isSilent = false;

  constructor(
    keepAlive: number,
    wire: Pick<Wire, 'isPaused'>,
    end: (reason: Reason, message: string) => void,
  ) {
    const look = () => {
      if (this.#isSilent) end(REASON.keepAliveTimeout, `Nothing came for ${keepAlive * 1.5} s (3.1.2.10).`);
    };
    const isOver = () => {
      // Whom nobody listens to is not silent.
      if (wire.isPaused) return void this.#timer.refresh();
      this.#isSilent = true;
      // After the sockets of this turn: a process that had none for a while runs timers before it reads what came meanwhile.
      setImmediate(look);
    };
    this.#timer = machineClock.after(keepAlive * 1500, isOver).unref();
  }

  /** Bytes have arrived: a large packet takes its time on a slow line. */
  heard(): void {
    this.#isSilent = false;
    this.#timer.refresh();
  }

  stop(): void {
    this.#isSilent = false;
    clearTimeout(this.#timer);
  }
}
