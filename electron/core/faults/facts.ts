import type { RequestDoor } from '#shared/domain/sources.ts';
import type { FactsMatch } from '#shared/schema/request-match.ts';

/** What a request is known by. */
export interface RequestFacts {
  readonly door: RequestDoor;
  /** Id of the operation, or "ingest"; null for what led nowhere, and for packets of MQTT that store nothing. */
  readonly operation: string | null;
  /** The method of HTTP, or the packet of MQTT. */
  readonly method: string;
  /** The path with its query, or the topic. */
  readonly path: string;
  readonly key_id: string | null;
  /** The device that sent it. */
  readonly device_id: string | null;
}

/** Name of what devices store by, beside the operations. */
export const INGEST = 'ingest';

/** Those that have to be equal. */
const EQUAL = ['door', 'operation', 'method', 'key_id', 'device_id'] as const;
/** Those of them that are known before it is known who asks. */
const AT_ONCE = ['door', 'operation', 'method'] as const;

/** The facts, but for the path, that are otherwise than the match says. */
export const differingFacts = (match: FactsMatch, facts: RequestFacts): (typeof EQUAL)[number][] =>
  EQUAL.filter((field) => match[field] !== undefined && match[field] !== facts[field]);

/** Whether a path begins as the match says. */
export const isAt = (wanted: string | undefined, path: string): boolean =>
  wanted === undefined || path.startsWith(wanted);

/** Whether a request is as the match says. */
export const isAs = (match: FactsMatch, facts: RequestFacts): boolean =>
  isAt(match.path, facts.path) &&
  EQUAL.every((field) => match[field] === undefined || match[field] === facts[field]);

/** The same as far as is known before it is known who asks. */
export const mayBeAs = (
  match: FactsMatch,
  facts: Pick<RequestFacts, (typeof AT_ONCE)[number] | 'path'>,
): boolean =>
  isAt(match.path, facts.path) &&
  AT_ONCE.every((field) => match[field] === undefined || match[field] === facts[field]);

/** Whether a match speaks of requests at all, and not only of how many. */
export const speaksOfRequests = (match: FactsMatch): boolean =>
  match.path !== undefined || EQUAL.some((field) => match[field] !== undefined);
