/** Freezes a value of JSON and all in it, however deep, and however often it holds itself. */
export function freeze<T>(value: T): T {
  if (Object.isFrozen(value)) return value;
  const left: unknown[] = [value];
  const freezeLater = (part: unknown) => {
    if (typeof part === 'object' && part !== null && !Object.isFrozen(part)) left.push(part);
  };
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    if (Array.isArray(next)) for (const part of next as unknown[]) freezeLater(part);
    // Not of an array of its values, which of ten thousand rows would take longer than all else here.
    else for (const name in next) freezeLater((next as Record<string, unknown>)[name]);
  }
  return value;
}
