/**
 * Returns the places of a longest strictly increasing part of numbers, in order (patience sorting): of lines that were moved, those
 * that stayed.
 */
export function inOrder(numbers: readonly number[]): number[] {
  /** Of each length, the place of the lowest number that such a part ends with. */
  const ends: number[] = [];
  const before = numbers.map(() => -1);
  for (const [at, number] of numbers.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before[at] = ends[low - 1] ?? -1;
    ends[low] = at;
  }
  const kept: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) kept.push(at);
  return kept.toReversed();
}
