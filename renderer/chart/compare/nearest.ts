import { compareNames } from '../../order.ts';

interface Named {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
}

/**
 * The devices that somebody would compare one with, likeliest first: those of its project whose names begin as its own
 * does, the next numbers before farther ones.
 */
export function nearestFirst<T extends Named>(to: Named, others: readonly T[]): readonly T[] {
  const number = lastNumber(to.name);
  const ranked = others
    .filter(({ id }) => id !== to.id)
    .map((device) => ({
      device,
      isFar: device.project_id !== to.project_id,
      alike: beginningAlike(to.name, device.name),
      distance: Math.abs(lastNumber(device.name) - number),
    }));
  return ranked
    .toSorted(
      (a, b) =>
        Number(a.isFar) - Number(b.isFar) ||
        b.alike - a.alike ||
        a.distance - b.distance ||
        compareNames(a.device.name, b.device.name),
    )
    .map(({ device }) => device);
}

/** Characters that two names begin with before their digits differ: PT-107 is as near to PT-98 as to PT-108. */
function beginningAlike(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  while (length > 0 && /\d/.test(a[length - 1] ?? '')) length--;
  return length;
}

/** The last number in a name; far from any other where there is none. */
function lastNumber(name: string): number {
  const digits = /(\d+)\D*$/.exec(name)?.[1];
  return digits === undefined ? 1e15 : Number(digits);
}
