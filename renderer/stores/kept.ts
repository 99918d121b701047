/*
 * What this browser remembers of how somebody likes to look at things, as texts; never data. It may be emptied at any
 * time, or not be there: a private window refuses.
 */

const PREFIX = 'fieldbench.';

/** Returns the value stored under a name; null for none. */
export function readKept(name: string): string | null {
  return withStorage((storage) => storage.getItem(PREFIX + name));
}

/** Keeps a text under a name, where the browser lets it. */
export function keep(name: string, text: string): void {
  withStorage((storage) => {
    storage.setItem(PREFIX + name, text);
    return null;
  });
}

function withStorage(use: (storage: Storage) => string | null): string | null {
  try {
    return use(window.localStorage);
  } catch (error) {
    // Refused, or full: it is then as it is at first.
    if (error instanceof DOMException) return null;
    throw error;
  }
}
