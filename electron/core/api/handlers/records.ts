import { badRequest } from '../../errors.ts';
import { exportDevice } from '../../export/export-device.ts';
import type { ExportPiece } from '../../export/export.ts';
import { importRecords } from '../../import/import.ts';
import { inspect } from '../../import/inspect-work.ts';
import type { HandlersOf } from '../context.ts';
import { deleteRange } from '../removal/delete-range.ts';

export const recordHandlers: HandlersOf<'records'> = {
  async 'records.inspect'({ input: { sample = '', bytes, tail, ...settings }, signal }, { records }) {
    const file = {
      ...settings,
      head: bytes === undefined ? Buffer.from(sample) : Buffer.from(bytes, 'base64'),
      ...(tail !== undefined && { tail: Buffer.from(tail, 'base64') }),
    };
    return { data: await inspect(file, records.threadWork?.threads ?? null, signal) };
  },

  async 'records.import'({ input, project, device, body, signal }, context) {
    if (!body) throw badRequest('body is required: send the file as text/csv or application/x-ndjson');
    const { records, clock, events, jobs } = context;
    const { project_id, id: device_id } = device;
    const { account_id } = project;
    const job = {
      kind: 'import',
      account_id,
      project_id,
      device_id,
      unit: 'bytes',
      total: body.size,
    } as const;
    const data = await jobs.run(
      job,
      (progress, stop) =>
        importRecords({
          body,
          settings: input,
          records,
          device: device_id,
          clock,
          progress,
          signal: stop,
        }),
      signal,
    );
    if (data.stored > 0)
      events.publish('records.stored', { account_id, project_id, device_id, count: data.stored });
    return { data };
  },

  async 'records.export'({ input, project, device, signal }, { records, jobs, turns }) {
    const { project_id, id: device_id } = device;
    const { account_id } = project;
    const range = rangeOf(input);
    const total = await records.count(device_id, range);
    const { format } = input;
    async function* file() {
      // Of the moment when its turn has come: a key that is new by then has its column.
      const keys = input.keys ?? (await records.keys(device_id, signal));
      const given = { records, device: device_id, range, keys, format, ...(signal && { signal }) };
      yield* exportDevice(given);
    }
    const job = { kind: 'export', account_id, project_id, device_id, unit: 'records', total } as const;
    const { parts, givenUp } = turns.take(file(), signal);
    return {
      data: { records: total },
      download: {
        type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
        name: device.name,
        extension: format,
        bytes: bytesOf(jobs.follow(job, parts, signal)),
        givenUp,
      },
    };
  },

  async 'records.delete'({ input, project, device }, context) {
    return { data: { deleted: { records: await deleteRange(project, device, rangeOf(input), context) } } };
  },
};

async function* bytesOf(pieces: AsyncIterable<ExportPiece>): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of pieces) yield bytes;
}

function rangeOf({ start, end }: { readonly start?: number | undefined; readonly end?: number | undefined }) {
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}
