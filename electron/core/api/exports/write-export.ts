import { FORMAT_NAMES, type ExportFormat } from '#shared/domain/file-formats.ts';
import { Refusal } from '../../base/errors.ts';
import { exportDevice } from '../../export/export-device.ts';
import type { ExportPiece } from '../../export/export-options.ts';
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
 * between makes a new plan. Of a workbook each device is of the moment of its first piece.
 */
export function written(plan: ExportPlan, context: Pick<Writing, 'records'>, signal?: AbortSignal): Pieces {
  return asFile(plan, (each) => writtenNow(each, context, signal));
}

/** The file of a plan, or the workbook of its devices, whose pieces come one after another. */
export async function* asFile(plan: ExportPlan, piecesOf: (plan: ExportPlan) => Pieces): Pieces {
  const { workbook } = plan;
  if (workbook === null) return yield* piecesOf(plan);
  const { writeWorkbook } = await import('../../export/workbook/write-workbook.ts');
  const devices = workbook.devices.map((each) => ({ name: each.name, pieces: piecesOf(each.plan) }));
  yield* writeWorkbook({ devices, tables: workbook.tables });
}

async function* writtenNow(
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
  yield* writtenNow(await later(), context, signal);
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, i) => key === b[i]);
}

/**
 * The whole file, as it was when it was planned. Rejects with a 503 Refusal where records came or went before its first
 * piece was there: the rest of one file must not follow on the beginning of another.
 */
export function unchanged(plan: ExportPlan, context: Writing, signal?: AbortSignal): Pieces {
  return asFile(plan, (each) => unchangedSince(each, context, signal));
}

async function* unchangedSince(plan: ExportPlan, context: Writing, signal?: AbortSignal): Pieces {
  let checked = false;
  for await (const piece of writtenNow(plan, context, signal)) {
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
