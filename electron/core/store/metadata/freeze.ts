/** Freezes a value and all in it, however deep, and however often it holds itself. */
export function freeze<T>(value: T): T {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const part of Object.values(next) as unknown[])
      if (typeof part === 'object' && part !== null) left.push(part);
  }
  return value;
}
