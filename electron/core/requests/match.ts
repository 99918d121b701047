import type { FactsMatch } from '#shared/schema/request-match.ts';
import type { RequestMatch } from '#shared/operations/service/requests.ts';
import { quote } from '#shared/values/validate.ts';
import { differingFacts, isAt, type RequestFacts } from '../faults/facts.ts';
import type { Kept } from './groups.ts';

/** Says in a sentence how a request differs. Of thousands only few are asked. */
export type Difference = () => string;

/** How a request differs from what is asked for; none where it is so. */
export function differencesFrom(match: RequestMatch, kept: Kept): Difference[] {
  const { path, status, fault } = match;
  const facts = factsOf(kept);
  const differs = differingFacts(match, facts).map((field) => unlike(field, facts[field], match[field]));
  if (!isAt(path, kept.path))
    differs.push(() => `path: ${quote(kept.path)} does not begin with ${quote(path)}`);
  if (status === 'accepted' || status === 'refused') {
    const is = kept.isRefused ? 'refused' : 'accepted';
    if (is !== status) differs.push(unlike('status', is, status));
  } else if (status !== undefined && kept.status !== status)
    differs.push(unlike('status', kept.status, status));
  if (fault !== undefined && kept.fault !== fault) differs.push(unlike('fault', kept.fault, fault));
  return differs;
}

const factsOf = (kept: Kept): RequestFacts => ({
  door: kept.door,
  operation: kept.operation,
  method: kept.method,
  path: kept.path,
  key_id: kept.key_id,
  device_id: kept.group.owner.device_id,
});

const unlike =
  (field: keyof FactsMatch | 'status' | 'fault', is: unknown, wanted: unknown): Difference =>
  () =>
    `${field}: ${quote(is)} is not ${quote(wanted)}`;
