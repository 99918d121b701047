/** The middle of numbers, and of two middle ones what lies between them: as a person would count it out. */
export function naiveMedian(numbers: readonly number[]): number {
  const left = numbers.toSorted((a, b) => a - b);
  while (left.length > 2) {
    left.shift();
    left.pop();
  }
  return left.reduce((sum, number) => sum + number, 0) / left.length;
}
