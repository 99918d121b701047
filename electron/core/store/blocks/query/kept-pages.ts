import type { TimeRange } from '#shared/values/time.ts';
import type { Borrowed, PageQuery } from '../../store.ts';
import type { Timeline } from './timeline.ts';

/** Pages that are kept, and the largest of them in bytes: a megabyte in all. */
const MOST_PAGES = 16;
const MOST_BYTES = 1 << 16;

/** A page as it was written. Its memory is used again for the page that takes its place. */
interface KeptPage {
  version: number;
  query: PageQuery;
  total: number;
  bytes: Buffer<ArrayBuffer>;
  length: number;
}

/**
 * Cache of the pages that were written last: programs ask for the newest one again and again, and mostly nothing has come
 * since. A page is found as long as its device has the same timeline.
 */
export class KeptPages {
  readonly #pages: KeptPage[] = [];
  #next = 0;

  get({ version }: Timeline, query: PageQuery): { readonly bytes: Buffer; readonly total: number } | null {
    for (const page of this.#pages)
      if (page.version === version && isSame(page.query, query))
        return { bytes: page.bytes.subarray(0, page.length), total: page.total };
    return null;
  }

  /** Copies the bytes, unless they are too many. */
  keep({ version }: Timeline, query: PageQuery, total: number, { memory, from, to }: Borrowed): void {
    const length = to - from;
    if (length > MOST_BYTES) return;
    let bytes = this.#pages[this.#next]?.bytes;
    if (bytes === undefined || bytes.length < length)
      bytes = Buffer.allocUnsafeSlow(Math.min(MOST_BYTES, length + (length >> 2)));
    memory.copy(bytes, 0, from, to);
    this.#pages[this.#next] = { version, query, total, bytes, length };
    this.#next = (this.#next + 1) % MOST_PAGES;
  }
}

function isSame(a: PageQuery, b: PageQuery): boolean {
  return (
    a.offset === b.offset &&
    a.limit === b.limit &&
    isSameRange(a.range, b.range) &&
    isSameKeys(a.keys, b.keys)
  );
}

const isSameRange = (a: TimeRange | undefined, b: TimeRange | undefined) =>
  a?.start === b?.start && a?.end === b?.end;

const isSameKeys = (a: PageQuery['keys'], b: PageQuery['keys']) =>
  a === b || (a?.length === b?.length && a?.every((key, at) => key === b?.[at]) === true);
