import type { Page, PageQuery } from '../../store.ts';
import type { Readable } from '../../blocks/readable.ts';
import { readPage } from '../../blocks/reads.ts';
import type { DeviceView } from './device-view.ts';
import type { Rounds } from './rounds.ts';

/** Records that are read at once; a larger page comes in pieces of so many, or of fewer where they are large. */
const PIECE_ROWS = 1024;
/** Bytes of them that are held whole. */
const WHOLE_BYTES = 1 << 20;
const COMMA = Buffer.from(',');
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** A page of a device as it is now, in pieces where it is large: over what there was when it began. */
export async function readPageOf(view: DeviceView, query: PageQuery): Promise<Page> {
  const { rounds: reading } = view;
  const device = view.supplied();
  if (query.limit <= PIECE_ROWS) {
    const page = await reading.run(() => readPage(device, query, { wholeBytes: WHOLE_BYTES }));
    if (page.json instanceof Uint8Array) return page;
  }
  const frozen = view.frozen();
  const { from, to } = await reading.run(() => frozen.timeline().ranks(query.range));
  const total = to - from;
  const rows = Math.max(0, Math.min(query.limit, total - query.offset));
  if (rows <= PIECE_ROWS && query.limit > PIECE_ROWS) {
    const page = await reading.run(() => readPage(frozen, query, { wholeBytes: WHOLE_BYTES }));
    if (page.json instanceof Uint8Array) return page;
  }
  return { total, json: piecesOf(frozen, reading, query, rows) };
}

async function* piecesOf(
  frozen: Readable,
  reading: Rounds,
  query: PageQuery,
  rows: number,
): AsyncGenerator<Uint8Array> {
  yield OPEN;
  let most = PIECE_ROWS;
  for (let done = 0; done < rows;) {
    const limit = Math.min(most, rows - done);
    const { json } = await reading.run(() =>
      readPage(frozen, { ...query, offset: query.offset + done, limit }, { wholeBytes: WHOLE_BYTES }),
    );
    if (!(json instanceof Uint8Array)) {
      // Too large to be held whole; one record always is.
      most = Math.max(1, Math.floor(most / 4));
      continue;
    }
    if (done > 0) yield COMMA;
    yield Buffer.from(json.subarray(1, -1));
    reading.letGo();
    done += limit;
  }
  yield CLOSE;
}
