/** Objects and arrays within each other that a request may hold, its body included (docs/running.md, "Limits"). */
export const MAX_NESTING = 16;

/**
 * Whether a value holds objects and arrays more than `levels` deep, itself included. Level by level, so that neither depth
 * nor an object that holds itself, which a window may send, costs more than the levels that are allowed.
 */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  let level: Iterable<object> | undefined = isContainer(value) ? [value] : undefined;
  for (let depth = 0; level !== undefined; depth++) {
    if (depth === levels) return true;
    // Most inputs are flat: a set is made for those that are not.
    let inner: Set<object> | undefined;
    for (const container of level)
      for (const part of Array.isArray(container) ? (container as unknown[]) : Object.values(container))
        if (isContainer(part)) (inner ??= new Set()).add(part);
    level = inner;
  }
  return false;
}

/** Bytes have no levels, and are not walked through one by one. */
function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}
