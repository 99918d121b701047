import { exportRecords } from '../../export/export.ts';
import type { ExportPiece } from '../../export/export-options.ts';
import type { StoredRecord } from '../../store/store.ts';
import type { Context } from '../context.ts';
import type { ExportPlan } from './plan-export.ts';
import { asFile } from './write-export.ts';

type Records = Pick<Context, 'records'>;

/** How many records of a span have one of the keys that are exported, whatever keys were asked for. */
export async function countOfPlan(plan: ExportPlan, context: Records, signal?: AbortSignal): Promise<number> {
  const plans = plan.workbook?.devices.map((device) => device.plan) ?? [plan];
  let records = 0;
  for (const { of, range, file, later, extent } of plans)
    // All keys.
    records +=
      later === null ? await context.records.countWith(of, range, file.keys, signal) : extent.records;
  return records;
}

/** About how many bytes so many records take, by the first ones. */
export async function estimateBytes(records: number, plan: ExportPlan, context: Records): Promise<number> {
  const length = async (sample: (plan: ExportPlan) => readonly StoredRecord[]) => {
    let sum = 0;
    for await (const { bytes } of asFile(plan, (each) => writtenOf(each, sample(each))))
      sum += bytes.byteLength;
    return sum;
  };
  const samples = new Map<ExportPlan, readonly StoredRecord[]>();
  let sampled = 0;
  for (const each of plan.workbook?.devices.map((device) => device.plan) ?? [plan])
    for await (const list of context.records.scan(each.of, each.range)) {
      const asked = new Set(each.file.keys);
      samples.set(each, list);
      sampled += list.filter(({ keys }) => keys.some((key) => asked.has(key))).length;
      break;
    }
  const empty = await length(() => []);
  if (sampled === 0) return empty;
  const bytes = (await length((each) => samples.get(each) ?? [])) - empty;
  return Math.round(empty + (bytes / sampled) * records);
}

async function* writtenOf(
  { file }: ExportPlan,
  list: readonly StoredRecord[],
): AsyncGenerator<ExportPiece, void, undefined> {
  async function* scan() {
    yield list;
  }
  yield* exportRecords({ ...file, scan: scan() });
}
