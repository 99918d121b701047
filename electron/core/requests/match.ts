import type { FactsMatch } from '#shared/schema/request-match.ts';
import type { RequestMatch } from '#shared/operations/service/requests.ts';
import { quote } from '#shared/values/validate.ts';
import { differingFacts, isAs, isAt, type RequestFacts } from '../faults/facts.ts';
import type { Kept } from './groups.ts';

/** How a request differs from what is asked for, in words; none where it is so. */
export function differencesFrom(match: RequestMatch, kept: Kept): readonly string[] {
  const { path, status, fault } = match;
  const facts = factsOf(kept);
  const differs = differingFacts(match, facts).map((field) => unlike(field, facts[field], match[field]));
  if (!isAt(path, kept.path)) differs.push(`path: ${quote(kept.path)} does not begin with ${quote(path)}`);
  if (!isStatus(status, kept))
    differs.push(unlike('status', typeof status === 'string' ? outcomeOf(kept) : kept.status, status));
  if (!isFault(fault, kept)) differs.push(unlike('fault', kept.fault, fault));
  return differs;
}

/** The number of `differencesFrom`, without its words: most of thousands of requests are never told of. */
export function countDifferences(match: RequestMatch, kept: Kept): number {
  const facts = factsOf(kept);
  if (isAs(match, facts) && isStatus(match.status, kept) && isFault(match.fault, kept)) return 0;
  const others = [isAt(match.path, kept.path), isStatus(match.status, kept), isFault(match.fault, kept)];
  return differingFacts(match, facts).length + others.filter((holds) => !holds).length;
}

const outcomeOf = ({ isRefused }: Kept) => (isRefused ? 'refused' : 'accepted');

const isStatus = (wanted: RequestMatch['status'], kept: Kept) =>
  wanted === undefined || wanted === (typeof wanted === 'string' ? outcomeOf(kept) : kept.status);

const isFault = (wanted: RequestMatch['fault'], { fault }: Kept) => wanted === undefined || wanted === fault;

const factsOf = (kept: Kept): RequestFacts => ({
  door: kept.door,
  operation: kept.operation,
  method: kept.method,
  path: kept.path,
  key_id: kept.key_id,
  device_id: kept.group.owner.device_id,
});

const unlike = (field: keyof FactsMatch | 'status' | 'fault', is: unknown, wanted: unknown): string =>
  `${field}: ${quote(is)} is not ${quote(wanted)}`;
