import { badRequest } from '../../../base/errors.ts';
import type { Body } from '../../../import/body.ts';
import { examine } from '../../../import/examine-work.ts';
import { importRecords } from '../../../import/import.ts';
import { inspect } from '../../../import/inspect-work.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { Extent } from '../../../store/store.ts';
import { EncodedJson, type Principal } from '../../call.ts';
import type { Context, HandlersOf } from '../../context.ts';
import type { FileSettings } from '#shared/operations/records/records.ts';
import { rangeOf } from '../../range.ts';
import { viewed } from '../../corrections/viewed.ts';
import { planExport } from '../../exports/plan-export.ts';
import { bytesOf, contentTypeOf, partOf, unchanged, written } from '../../exports/write-export.ts';
import { countOfPlan, estimateBytes } from '../../exports/estimate-export.ts';
import { keepRecords } from '../../removal/keeping.ts';

export const recordHandlers: HandlersOf<'records'> = {
  async 'records.inspect'({ input: { sample = '', bytes, tail, ...settings }, signal }, { records, clock }) {
    const file = {
      ...settings,
      now: clock.now(),
      head: bytes === undefined ? Buffer.from(sample) : Buffer.from(bytes, 'base64'),
      ...(tail !== undefined && { tail: Buffer.from(tail, 'base64') }),
    };
    return { data: await inspect(file, records.threadWork?.threads ?? null, signal) };
  },

  async 'records.import'({ input, project, device, body, principal, signal }, context) {
    const file = queued(body, principal, signal, context);
    const { records, clock, events, jobs } = context;
    const { project_id, id: device_id } = device;
    const { account_id } = project;
    const job = {
      kind: 'import',
      account_id,
      project_id,
      device_id,
      name: device.name,
      unit: 'bytes',
      total: file.body.size,
      stop: new AbortController(),
    } as const;
    const data = await jobs.run(
      job,
      (progress, stop) =>
        importRecords({
          body: file.body,
          settings: input,
          records,
          device: device_id,
          clock,
          progress,
          signal: AbortSignal.any([stop, file.signal]),
        }),
      signal,
    );
    if (data.stored > 0)
      events.publish('records.stored', { account_id, project_id, device_id, count: data.stored });
    return { data };
  },

  'records.examine': ({ input, body, principal, signal }, context) =>
    examineBody(input, null, queued(body, principal, signal, context), context),

  'records.compare': ({ input, device, body, principal, signal }, context) =>
    examineBody(input, device.id, queued(body, principal, signal, context), context),

  async 'records.export'(call, context) {
    const { input, project, device, principal, signal } = call;
    const { format } = input;
    if (format === 'html') return (await page()).exportPage(call, context);
    const plan = await planExport({ ...input, format }, device, context, signal);
    const { extent, file, name, state } = plan;
    const { from = 0 } = input;
    const isSame = input.state === undefined || input.state === state;
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const part = from > 0 && isSame ? await partOf(from, plan, principal.key_id, context, either) : null;
    const { account_id, id: project_id } = project;
    const total = extent.records;
    const of = { account_id, project_id, device_id: device.id, name: device.name };
    const job = { kind: 'export', ...of, unit: 'records', total, stop } as const;
    const pieces = part ? unchanged(plan, context, either) : written(plan, context, either);
    const { parts, givenUp } = context.exports.take(pieces, principal.key_id, either);
    return {
      data: { records: total, name, from: part?.from ?? 0 },
      download: {
        type: contentTypeOf(file.format),
        name,
        extension: file.format,
        bytes: bytesOf(context.jobs.follow(job, parts, signal), part?.from ?? 0),
        // The reading may wait for a consumer that takes nothing.
        givenUp: AbortSignal.any([givenUp, stop.signal]),
        state,
        ...(part && { part }),
      },
    };
  },

  async 'records.estimate'({ input, device, signal }, context) {
    const { format } = input;
    if (format === 'html') return { data: await (await page()).estimatePage(input, device, context, signal) };
    const plan = await planExport({ ...input, format }, device, context, signal);
    const { name, state, extent } = plan;
    const { first, last } = extent;
    const records = await countOfPlan(plan, context, signal);
    const bytes = await estimateBytes(records, plan, context);
    return { data: { records, bytes, name, state, ...timesOf({ first, last }) } };
  },

  async 'records.count'({ input, device }, { records, metadata }) {
    const of = await viewed(device.id, input.view, { metadata });
    const { records: found, ...times } = await records.within(of, rangeOf(input));
    return { data: { records: found, ...timesOf(times) } };
  },

  async 'records.follow'({ input, project, device, signal }, { arrivals, chance }) {
    const { after, missed, records } = await arrivals.since(device.id, input.after, {
      withinMs: input.within_ms,
      signal,
      newId: () => chance.of(project.account_id).uuid(),
    });
    const json = `{"after":${JSON.stringify(after)},"missed":${missed},"records":[${records.join(',')}]}`;
    return { data: new EncodedJson(Buffer.from(json)) };
  },

  async 'records.delete'({ input, project, device, principal }, context) {
    const isAll = input.start === undefined && input.end === undefined;
    const range = isAll ? null : rangeOf(input);
    return { data: await keepRecords(project, device, range, principal, context) };
  },
};

/** Code of pages, loaded when one is asked for. */
const page = () => import('../../handover/export-page.ts');

interface QueuedFile {
  readonly body: Body;
  readonly signal: AbortSignal;
}

/** A file that is read when its turn comes. Throws a 400 Refusal where there is none. */
function queued(
  body: Body | undefined,
  { key_id }: Pick<Principal, 'key_id'>,
  signal: AbortSignal = new AbortController().signal,
  { files }: Pick<Context, 'files'>,
): QueuedFile {
  if (!body) throw badRequest('body is required: send the file as text/csv or application/x-ndjson');
  const { parts, givenUp } = files.take(body.bytes, key_id, signal);
  return { body: { ...body, bytes: parts }, signal: AbortSignal.any([signal, givenUp]) };
}

async function examineBody(
  settings: FileSettings,
  device: string | null,
  { body, signal }: QueuedFile,
  { records, clock }: Pick<Context, 'records' | 'clock'>,
) {
  return {
    data: await examine({ body, settings, records, device, now: clock.now(), progress: () => {}, signal }),
  };
}

function timesOf({ first, last }: Omit<Extent, 'bytes' | 'records'>) {
  return {
    first: first === null ? null : formatMicros(first),
    last: last === null ? null : formatMicros(last),
  };
}
