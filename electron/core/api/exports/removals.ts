import type { Chance } from '../../base/chance.ts';
import type { EventBus } from '../../base/event-bus.ts';

/** Devices whose last removal is remembered one by one. */
const MOST_DEVICES = 10_000;

/** Since records never change, whatever else becomes of a span shows in how many it holds: only removals need a number. */
export interface Removals {
  /** Changes whenever the numbers begin again: states of another start must not be taken for ones of this. */
  readonly since: string;
  /**
   * Goes up whenever records of the device went, since the service started, by one each time, so that nobody else's removals show in it; at
   * times without a reason.
   */
  numberOf(device: string): number;
}

export function createRemovals(events: Pick<EventBus, 'subscriber'>, chance: Chance): Removals {
  const numbers = new Map<string, number>();
  let highest = 0;
  /** Of every device that is not in the map; none of them ever had more. */
  let others = 0;
  const numberOf = (device: string) => numbers.get(device) ?? others;
  const subscriber = events.subscriber((event) => {
    if (event.topic !== 'records.removed') return;
    const { device_id } = event.payload;
    const number = numberOf(device_id) + 1;
    numbers.delete(device_id);
    numbers.set(device_id, number);
    highest = Math.max(highest, number);
    const [oldest] = numbers;
    if (numbers.size <= MOST_DEVICES || oldest === undefined) return;
    numbers.delete(oldest[0]);
    others = Math.max(others, oldest[1]);
  }, missed);

  /** Any of them may have lost some. */
  function missed(): void {
    numbers.clear();
    others = ++highest;
  }

  subscriber.subscribe('records.removed');
  return { since: chance.uuid(), numberOf };
}
