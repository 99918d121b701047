/** The first place in [low, high) whose number is at least `value`, or `high`. */
export function lowerBound(numbers: Float64Array, low: number, high: number, value: number): number {
  let [first, end] = [low, high];
  while (first < end) {
    const middle = (first + end) >>> 1;
    if (numbers[middle]! < value) first = middle + 1;
    else end = middle;
  }
  return first;
}
