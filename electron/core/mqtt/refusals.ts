import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';

/** ms between two lines in the log about one device: a faulty sensor is refused a hundred times a second. */
const QUIET_MS = 10_000;
/** Devices that are remembered at once. */
const MOST_DEVICES = 1000;

/** Counts the messages with which something is wrong, and tells the log of them with the reason. */
export class Refusals {
  readonly #log: Pick<Logger, 'warn'>;
  readonly #what: string;
  readonly #nowMs: () => number;
  /** When the log heard of a device last, and of how many it has not heard. */
  readonly #heard = new Map<string, { readonly at: number; since: number }>();
  /** Since the service was started. */
  count = 0;

  /** `what` became of each: "was not stored". */
  constructor(
    log: Pick<Logger, 'warn'>,
    what: string,
    nowMs: () => number = () => machineClock.monotonicMs(),
  ) {
    this.#log = log;
    this.#what = what;
    this.#nowMs = nowMs;
  }

  add(device: string, why: string): void {
    this.count++;
    const heard = this.#heard.get(device);
    const now = this.#nowMs();
    if (heard !== undefined && now - heard.at < QUIET_MS) {
      heard.since++;
      return;
    }
    const others =
      heard === undefined || heard.since === 0 ? '' : ` (${heard.since} more since the last such line)`;
    this.#log.warn(`A message of device ${device} over MQTT ${this.#what}${others}: ${why}`);
    this.#heard.delete(device);
    this.#heard.set(device, { at: now, since: 0 });
    const [oldest] = this.#heard.keys();
    if (this.#heard.size > MOST_DEVICES && oldest !== undefined) this.#heard.delete(oldest);
  }
}
