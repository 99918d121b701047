import type { RequestMatch } from '#shared/operations/service/requests.ts';
import { quote } from '#shared/values/validate.ts';
import type { Kept } from './groups.ts';

/** How a request differs from what is asked for, a sentence each; none where it is so. */
export function differencesFrom(match: RequestMatch, kept: Kept): string[] {
  const { door, operation, method, path, status, key_id, device_id } = match;
  const differs: string[] = [];
  const same = (field: string, is: string | number | null, wanted: string | number | undefined) => {
    if (wanted !== undefined && is !== wanted) differs.push(`${field}: ${quote(is)} is not ${quote(wanted)}`);
  };
  same('door', kept.door, door);
  same('operation', kept.operation, operation);
  same('method', kept.method, method);
  if (path !== undefined && !kept.path.startsWith(path))
    differs.push(`path: ${quote(kept.path)} does not begin with ${quote(path)}`);
  if (status === 'accepted' || status === 'refused')
    same('status', kept.isRefused ? 'refused' : 'accepted', status);
  else same('status', kept.status, status);
  same('key_id', kept.key_id, key_id);
  same('device_id', kept.group.owner.device_id, device_id);
  return differs;
}
