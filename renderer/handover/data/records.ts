import { recordsId, type PageView } from '#shared/handover/page-facts.ts';
import { unpackColumn, unpackTimes, type UnpackedColumn } from '#shared/handover/packed-columns.ts';

/** The records of a device as a view has them; columns are unpacked when they are asked for. */
export class ViewRecords {
  readonly times: Float64Array;
  readonly keys: readonly string[];
  readonly #lines: ReadonlyMap<string, number>;
  readonly #column: (line: number, records: number) => Promise<UnpackedColumn>;

  constructor(
    view: PageView,
    times: Float64Array,
    column: (line: number, records: number) => Promise<UnpackedColumn>,
  ) {
    this.times = times;
    this.#lines = new Map(view.columns);
    this.keys = view.columns.map(([key]) => key);
    this.#column = column;
  }

  /** Null for a key without values. Rejects with an Error where the file is damaged. */
  async column(key: string): Promise<UnpackedColumn | null> {
    const line = this.#lines.get(key);
    return line === undefined ? null : this.#column(line, this.times.length);
  }
}

/** The packed records of a device, by its place in the page. */
export class PackedRecords {
  readonly #lines: readonly string[];
  readonly #unpacked = new Map<number, Promise<UnpackedColumn>>();

  constructor(place: number) {
    this.#lines = (document.getElementById(recordsId(place))?.textContent ?? '').split('\n');
  }

  /** Rejects with an Error where the file is damaged. */
  async view(view: PageView): Promise<ViewRecords> {
    const times = unpackTimes(await this.#bytes(view.times), view.records);
    return new ViewRecords(view, times, (line, records) => this.#columnOf(line, records));
  }

  #columnOf(line: number, records: number): Promise<UnpackedColumn> {
    const known = this.#unpacked.get(line) ?? this.#bytes(line).then((bytes) => unpackColumn(bytes, records));
    this.#unpacked.set(line, known);
    return known;
  }

  async #bytes(line: number): Promise<Uint8Array> {
    const packed = bytesOf(this.#lines[line] ?? '');
    try {
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
      return new Uint8Array(await new Response(stream).arrayBuffer());
    } catch (cause) {
      throw new Error('The records in this file are damaged: it is not as it was handed over.', { cause });
    }
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
