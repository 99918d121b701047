import { MOST_UPLOADED, type Upload } from '#shared/operations/service/uploads.ts';
import type { FileSettings } from '#shared/operations/records/records.ts';
import { formatMicros, parseInstant, type Micros } from '#shared/values/time.ts';
import type { Chances } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import { badRequest, Refusal } from '../base/errors.ts';
import type { Body } from '../import/body.ts';
import { examine } from '../import/examine-work.ts';
import type { RecordStore, StoredRecord } from '../store/store.ts';
import type { Recording } from './recordings.ts';

/** Bytes that are read of a file at once. */
const PIECE = 64 * 1024;

interface Kept {
  readonly account_id: string;
  readonly content: Buffer;
  readonly type: string | null;
  readonly settings: FileSettings;
  readonly now: Micros;
  readonly view: Upload;
}

/** Files of records that were handed over for replays, in memory: they end with the service. */
export class Uploads {
  readonly #parts: {
    readonly clock: Clock;
    readonly chance: Chances;
    readonly records: Pick<RecordStore, 'scan' | 'threadWork'>;
  };
  readonly #kept = new Map<string, Kept>();

  constructor(parts: { clock: Clock; chance: Chances; records: Pick<RecordStore, 'scan' | 'threadWork'> }) {
    this.#parts = parts;
  }

  /** Rejects with a 413 Refusal where there is no room, and with a 400 one that names the first row that cannot be read. */
  async add(account_id: string, body: Body, settings: FileSettings, signal: AbortSignal): Promise<Upload> {
    const { clock, chance, records } = this.#parts;
    const content = await this.#received(account_id, body);
    const now = clock.now();
    const { type } = body;
    const file = { body: { bytes: piecesOf(content), size: content.length, type }, settings, now };
    const found = await examine({ ...file, records, device: null, progress: () => {}, signal });
    const [fault] = found.errors;
    if (fault !== undefined) throw badRequest(`line ${fault.line}: ${fault.message}. Nothing was kept.`);
    if (found.records === 0) throw badRequest('The file holds no rows of data.');
    this.#requireRoom(account_id, content.length);
    const view: Upload = {
      id: chance.of(`${account_id} simulators`).uuid(),
      bytes: content.length,
      records: found.records,
      first: found.first,
      last: found.last,
      notes: found.notes,
      created_at: formatMicros(now),
    };
    this.#kept.set(view.id, { account_id, content, type, settings, now, view });
    return view;
  }

  list(account_id: string): readonly Upload[] {
    return [...this.#kept.values()].filter((kept) => kept.account_id === account_id).map(({ view }) => view);
  }

  /** Whose it is; null where there is none. */
  ownerOf(id: string): string | null {
    return this.#kept.get(id)?.account_id ?? null;
  }

  remove(id: string): void {
    this.#kept.delete(id);
  }

  forgetAccount(account_id: string): void {
    for (const { id } of this.list(account_id)) this.#kept.delete(id);
  }

  /** The records of an upload, in the order of the file; null where the account has none of this id. */
  recording(account_id: string, id: string): Recording | null {
    const kept = this.#kept.get(id);
    if (kept?.account_id !== account_id) return null;
    const { records, first, last } = kept.view;
    const at = (text: string | null) => parseInstant(text ?? '') ?? kept.now;
    return { records, first: at(first), last: at(last), read: () => recordsOf(kept) };
  }

  async #received(account_id: string, { bytes }: Body): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of bytes) {
      size += piece.byteLength;
      this.#requireRoom(account_id, size);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  #requireRoom(account_id: string, size: number): void {
    const held = this.list(account_id).reduce((sum, { bytes }) => sum + bytes, 0);
    if (held + size > MOST_UPLOADED)
      throw new Refusal(
        413,
        `The uploads of an account have at most ${MOST_UPLOADED / 1024 / 1024} MiB together, and ${held} bytes are there: delete some, or import the file and replay its device.`,
      );
  }
}

/** Copies: whoever reads a piece owns it. */
async function* piecesOf(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE)
    yield await Promise.resolve(Uint8Array.from(content.subarray(at, at + PIECE)));
}

async function* recordsOf({ content, type, settings, now }: Kept): AsyncGenerator<readonly StoredRecord[]> {
  // A service without replays need not load what reads files.
  const { outcomesOf } = await import('../import/read-records.ts');
  const file = { type, settings, received: now, now };
  const { signal } = new AbortController();
  for await (const outcomes of outcomesOf(file, { bytes: piecesOf(content), progress: () => {}, signal }))
    yield outcomes.flatMap((outcome) => (outcome.kind === 'record' ? [outcome.record] : []));
}
