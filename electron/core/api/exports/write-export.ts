import { FORMAT_NAMES, type ExportFormat } from '#shared/domain/file-formats.ts';
import { Refusal } from '../../base/errors.ts';
import { exportDevice } from '../../export/export-device.ts';
import type { ExportPiece } from '../../export/export-options.ts';
import { exportRecords } from '../../export/export.ts';
import type { StoredRecord } from '../../store/store.ts';
import type { Context } from '../context.ts';
import { removedOf, type ExportPlan } from './plan-export.ts';

/** As a response says it: texts with their encoding, but NDJSON, whose is UTF-8 anyway. */
export function contentTypeOf(format: ExportFormat): string {
  const [type] = FORMAT_NAMES[format].mediaTypes;
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

type Pieces = AsyncGenerator<ExportPiece, void, undefined>;
type Writing = Pick<Context, 'records' | 'removals' | 'exports'>;

/**
 * Returns the whole file. It is of the moment of its first piece, which may be long after the plan: a key that came in
 * between makes a new plan.
 */
export async function* written(
  plan: ExportPlan,
  context: Pick<Writing, 'records'>,
  signal?: AbortSignal,
): Pieces {
  const { file, range, later } = plan;
  const pieces = exportDevice({ ...file, records: context.records, device: plan.of, range, signal });
  try {
    const first = await pieces.next();
    if (first.done) return;
    if (later === null || areEqual(file.keys, await context.records.keys(plan.of, signal))) {
      yield first.value;
      return yield* pieces;
    }
  } finally {
    await pieces.return();
  }
  yield* written(await later(), context, signal);
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, i) => key === b[i]);
}

/**
 * The whole file, as it was when it was planned. Rejects with a 503 Refusal where records came or went before its first
 * piece was there: the rest of one file must not follow on the beginning of another.
 */
export async function* unchanged(plan: ExportPlan, context: Writing, signal?: AbortSignal): Pieces {
  let checked = false;
  for await (const piece of written(plan, context, signal)) {
    if (!checked) {
      const { records } = await context.records.within(plan.of, plan.range);
      if (records !== plan.extent.records || plan.removed !== removedOf(plan.of, context.removals))
        throw new Refusal(503, 'The records changed just now. Try again: the file begins anew.');
      checked = true;
    }
    yield piece;
  }
}

export interface Part {
  /** Bytes that are left out at the beginning, and those of the whole file. */
  readonly from: number;
  readonly total: number;
}

/** Resolves with the place of a rest in the whole file, whose length is known once it was written. */
export async function partOf(
  from: number,
  plan: ExportPlan,
  key_id: string | null,
  context: Writing,
  signal?: AbortSignal,
): Promise<Part> {
  const { parts } = context.exports.take(unchanged(plan, context, signal), key_id, signal);
  let total = 0;
  for await (const { bytes } of parts) {
    signal?.throwIfAborted();
    total += bytes.byteLength;
  }
  return { from, total };
}

/** The bytes of pieces, without the first ones. */
export async function* bytesOf(pieces: AsyncIterable<ExportPiece>, from: number): AsyncGenerator<Uint8Array> {
  let left = from;
  for await (const { bytes } of pieces) {
    if (left < bytes.byteLength) yield left > 0 ? bytes.subarray(left) : bytes;
    left = Math.max(0, left - bytes.byteLength);
  }
}

/** About how many bytes so many records take, by the first ones. */
export async function estimateBytes(
  records: number,
  { file, range, of }: ExportPlan,
  context: Pick<Context, 'records'>,
): Promise<number> {
  const length = async (list: readonly StoredRecord[]) => {
    async function* scan() {
      yield list;
    }
    let sum = 0;
    for await (const piece of exportRecords({ ...file, scan: scan() })) sum += piece.bytes.byteLength;
    return sum;
  };
  const empty = await length([]);
  const asked = new Set(file.keys);
  let bytes = 0;
  let sampled = 0;
  for await (const list of context.records.scan(of, range)) {
    sampled += list.filter(({ keys }) => keys.some((key) => asked.has(key))).length;
    bytes += (await length(list)) - empty;
    break;
  }
  return sampled === 0 ? empty : Math.round(empty + (bytes / sampled) * records);
}
