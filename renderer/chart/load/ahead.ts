import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import type { SeriesPicture } from '#shared/bridge/wire.ts';
import { isSameSpan, type TimeSpan } from '../time/window.ts';

/** What a picture is of: a window of so many pixels, over the records that a summary counts. */
export interface Asked {
  readonly window: TimeSpan;
  readonly width: number;
  readonly of: DeviceSummary;
}

/** Reads the picture of the one window that will probably be looked at next, while nobody waits for another. */
export function createAhead(read: (asked: Asked, signal: AbortSignal) => Promise<SeriesPicture>) {
  let asked: Asked | null = null;
  let given = new AbortController();
  let found: Promise<SeriesPicture | null> = Promise.resolve(null);
  /** The same once it is there. */
  let there: SeriesPicture | null = null;

  return {
    /** Takes the place of what was expected before. */
    expect(next: Asked): void {
      if (asked && isSame(asked, next)) return;
      given.abort();
      given = new AbortController();
      asked = next;
      there = null;
      found = read(next, given.signal).then(
        (picture) => {
          if (asked === next) there = picture;
          return picture;
        },
        // Read-ahead fails silently: the request itself reports the error.
        () => null,
      );
    },
    /** The picture, as soon as it is there; null where it was not expected, or could not be read. */
    take: (wanted: Asked): Promise<SeriesPicture | null> =>
      asked && isSame(asked, wanted) ? found : Promise.resolve(null),
    /** The picture where it is there already. */
    at: (wanted: Asked): SeriesPicture | null => (asked && isSame(asked, wanted) ? there : null),
    stop: () => given.abort(),
  };
}

function isSame(a: Asked, b: Asked): boolean {
  return a.of === b.of && a.width === b.width && isSameSpan(a.window, b.window);
}
