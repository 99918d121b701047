/** Adds to a sum of those by a name; one of which nothing is left is not kept. */
export function addTo(sums: Map<string, number>, name: string, amount: number): void {
  const sum = (sums.get(name) ?? 0) + amount;
  if (sum > 0) sums.set(name, sum);
  else sums.delete(name);
}
