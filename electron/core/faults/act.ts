import type { RequestDoor } from '#shared/domain/sources.ts';
import type { DiskFault, FaultAction, FaultMatch } from '#shared/operations/service/faults.ts';
import type { RequestFacts } from './facts.ts';
import type { Ending } from './ending.ts';

/** What a rule does to one request. */
export interface Act {
  /** Of the rule. */
  readonly name: string;
  readonly do: FaultAction;
  /** Drawn, where the rule has a range. */
  readonly delayMs: number;
  /** The end of the rule: nobody is kept waiting beyond it. */
  readonly ending: Ending;
  /** Makes the disk fail until it is called again; null where the rule does not. */
  readonly failDisk: (() => () => void) | null;
}

/** A disk that can be made to fail. */
export interface FailingDisk {
  /** Makes it fail so until what is returned is called. */
  fail(how: DiskFault): () => void;
}

const isOfHttp = (door: RequestDoor) => door === 'http' || door === 'https';

/** What only some doors can do. */
const OF_HTTP = ['status', 'cut_after_bytes', 'bytes_per_s'] as const;
const OF_ALL = ['delay_ms', 'drop', 'refuse'] as const;

/** Whether anything of it can be done at a door. */
export function isOfDoor(does: FaultAction, door: RequestDoor): boolean {
  if (does.disk !== undefined || OF_ALL.some((each) => does[each] !== undefined)) return true;
  return isOfHttp(door) ? OF_HTTP.some((each) => does[each] !== undefined) : does.mqtt !== undefined;
}

/**
 * Whether anything of it can be done to a request. What only messages have, an acknowledgement and a copy, is not done to a CONNECT; what
 * MQTT has alone is done to one where the match names that.
 */
export function isFor(
  does: FaultAction,
  match: FaultMatch,
  { door, method }: Pick<RequestFacts, 'door' | 'method'>,
): boolean {
  if (!isOfDoor(does, door)) return false;
  if (method !== 'CONNECT' || isOfHttp(door)) return true;
  if (does.after_store === true || does.mqtt === 'duplicate') return false;
  return does.mqtt === undefined || match.method === 'CONNECT';
}

/** Resolves when the delay of an act is over, or the rule has ended. */
export async function delayed({ delayMs, ending }: Act): Promise<void> {
  if (delayMs > 0) await ending.within(delayMs);
}

/** What comes of a request by an act, for people to read; `what` is a sentence's rest, such as "it is not answered". */
export const wordsOf = ({ name }: Pick<Act, 'name'>, what: string) =>
  `The fault ${JSON.stringify(name)} is switched on: ${what}.`;
