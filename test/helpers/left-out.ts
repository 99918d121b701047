import { which } from '../../scripts/lib/run.mjs';

/**
 * Whether tests have to be left out here; then it says which, and what they lack.
 * @param what those tests
 * @param programs that they run
 * @param others what else they need, and whether it is there
 */
export function isLeftOut(
  what: string,
  programs: readonly string[],
  others: Readonly<Record<string, boolean>> = {},
): boolean {
  const lacking = [
    ...programs.filter((name) => which(name) === null),
    ...Object.entries(others).flatMap(([name, isThere]) => (isThere ? [] : [name])),
  ];
  if (lacking.length > 0) console.log(`left out: ${what}, for lack of ${lacking.join(', ')}`);
  return lacking.length > 0;
}
