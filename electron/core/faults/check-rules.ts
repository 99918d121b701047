import type { FaultRule } from '#shared/operations/service/faults.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../base/errors.ts';
import { isOfDoor } from './act.ts';
import { requireOperation } from './known-operation.ts';

/** Throws a 400 Refusal where rules, each of which is well formed, cannot be an account's. */
export function checkRules(
  rules: readonly FaultRule[],
  { isDefault, hasFiles }: { readonly isDefault: boolean; readonly hasFiles: boolean },
): void {
  const names = new Set<string>();
  for (const [at, { name, match, do: does }] of rules.entries()) {
    const refuse = (field: string, message: string, got: unknown) => {
      throw badRequest(`rules.${at}.${field} ${message}, got ${quote(got)}`);
    };
    if (name !== undefined && names.has(name)) refuse('name', 'must not be that of an earlier rule', name);
    if (name !== undefined) names.add(name);
    requireOperation(match, `rules.${at}.match`);
    if (match.door !== undefined && !isOfDoor(does, match.door))
      refuse('match.door', 'must be one at which anything of do can be done', match.door);
    if (does.disk === undefined) continue;
    if (!isDefault)
      refuse('do.disk', 'is for the default account alone: all accounts share the disk', does.disk);
    if (!hasFiles)
      refuse(
        'do.disk',
        'is for a service with files of its own; this one keeps its data in a database',
        does.disk,
      );
  }
}
