import { formatMicros } from '#shared/values/time.ts';
import { badRequest, notFound } from '../../../base/errors.ts';
import { ROW_KINDS } from '#shared/operations/records/sync-rows.ts';
import { MOST_IDS } from '#shared/operations/records/sync.ts';
import { readSent, takeIn } from '../../../sync/lines.ts';
import { mergeRecords } from '../../../sync/merge.ts';
import { ALL, digestsOf, idsOf } from '../../../sync/survey-records.ts';
import { takenVersion } from '../../../sync/correction-versions.ts';
import { requirePermissions } from '../../authorize.ts';
import type { HandlersOf } from '../../context.ts';
import { writerOf } from '../../corrections/write-corrections.ts';
import { requireRoomForNewDevices } from '../../devices/most-devices.ts';
import { lookForDevice, lookForProject, ReadOnce, removalsOf } from '../../sync/look.ts';
import { mergedBy, planMerge, runMerge } from '../../sync/merge-corrections.ts';
import { mergeRows } from '../../sync/merge-rows.ts';
import { refuseDeleted, refuseElsewhere, refuseTokenInUse } from '../../sync/refuse-taken.ts';

export const syncHandlers: HandlersOf<'sync'> = {
  async 'sync.look'({ input, principal }, context) {
    const found = await context.metadata.read(async (tables) => {
      const { installation_id } = await tables.settings();
      const once = new ReadOnce(tables);
      const projects = [];
      for (const asked of input.projects) projects.push(await lookForProject(once, asked, principal));
      const devices = [];
      for (const asked of input.devices) devices.push(await lookForDevice(once, asked, principal, context));
      return { installation_id, merges: [...ROW_KINDS], projects, devices };
    });
    return { data: found };
  },

  async 'sync.add-project'({ input, principal }, { metadata, clock, events }) {
    const { id, name, description, reason_required } = input;
    const { account_id } = principal;
    const added = await metadata.change(async (tables) => {
      const there = await tables.get('projects', id);
      if (there) {
        refuseElsewhere(principal, there);
        return false;
      }
      await refuseDeleted(tables, 'projects', id, principal);
      const fields = { name, description, ...(reason_required && { reason_required }) };
      await tables.insert('projects', { id, account_id, ...fields, created: clock.now() });
      return true;
    });
    if (added) events.publish('projects.changed', { account_id, project_id: id });
    return { data: { id, added } };
  },

  async 'sync.add-device'({ input, project, principal }, { metadata, clock, events, config }) {
    const { id: project_id, account_id } = project;
    const { id, name, description, source, tags, brand, model, interval_s, token_hash } = input;
    const added = await metadata.change(async (tables) => {
      if (!(await tables.get('projects', project_id))) throw notFound('Project');
      const there = await tables.get('devices', id);
      if (there && there.project_id !== project_id) {
        refuseElsewhere(principal, await tables.get('projects', there.project_id));
        throw badRequest(
          `id must be of a device of this project, or of none, got "${id}" of another project`,
        );
      }
      if (there) return false;
      await refuseDeleted(tables, 'devices', id, principal);
      await refuseTokenInUse(tables, token_hash);
      await requireRoomForNewDevices(tables, project_id, 1, config);
      const fields = { name, description, source, tags, brand, model, interval_s, token_hash };
      const row = { ...fields, id, project_id, avatar: null, metadata: input.metadata, created: clock.now() };
      await tables.insert('devices', row);
      return true;
    });
    if (added) events.publish('devices.changed', { account_id, project_id, device_id: id });
    return { data: { id, added } };
  },

  async 'sync.digest'({ input: { start, end, parts }, device, principal, signal }, { records, surveys }) {
    const of = { records, device: device.id, semaphore: surveys.of(principal.key_id), signal };
    const digested = await digestsOf({ start, end }, parts, ALL, of);
    return {
      data: {
        parts: digested.parts.map((part) => ({
          ...part,
          start: formatMicros(part.start),
          end: formatMicros(part.end),
        })),
      },
    };
  },

  async 'sync.ids'({ input: { start, end, prefix }, device, principal, signal }, { records, surveys }) {
    const of = { records, device: device.id, semaphore: surveys.of(principal.key_id), signal };
    const { times, ids } = await idsOf({ start, end }, { prefix, most: MOST_IDS }, of);
    if (ids.length > MOST_IDS)
      throw badRequest(
        `start and end must enclose at most ${MOST_IDS} records, got more; ask for a shorter span, or with a longer prefix`,
      );
    return { data: { times: [...times], ids: [...ids] } };
  },

  async 'sync.merge'({ input, project, device, principal, body, signal }, context) {
    if (!body) throw badRequest('body is required: send a line of JSON for each record');
    const { records, metadata, events, merges } = context;
    const bytes = await takeIn(body);
    const removals = async () =>
      input.removed === 'store' ? [] : metadata.read((tables) => removalsOf(tables, device.id, context));
    const data = await merges.run(
      { key_id: principal.key_id, device: device.id },
      async () => mergeRecords({ records, device: device.id, sent: await readSent(bytes), removals, signal }),
      signal,
    );
    const of = { account_id: project.account_id, project_id: device.project_id, device_id: device.id };
    if (data.stored > 0) events.publish('records.stored', { ...of, count: data.stored });
    return { data };
  },

  async 'sync.corrections'({ input, project, device, principal }, context) {
    const sent = input.versions.map(takenVersion);
    const { account_id } = project;
    if (input.dry_run)
      return {
        data: mergedBy(await context.metadata.read((tables) => planMerge(tables, device, sent, principal))),
      };
    const { data, changed } = await context.metadata.change(async (tables) => {
      const there = await tables.get('devices', device.id);
      if (!there) throw notFound('Device');
      const plan = await planMerge(tables, there, sent, principal);
      if (plan.removes) requirePermissions(principal, ['delete']);
      await runMerge(tables, there, plan, await writerOf(principal, account_id, tables, context));
      return { data: mergedBy(plan), changed: plan.longer.length === 0 ? null : there };
    });
    if (changed) {
      const { id: device_id, project_id } = changed;
      context.events.publish('corrections.changed', { account_id, project_id, device_id });
    }
    return { data };
  },

  async 'sync.rows'({ input, project, principal }, context) {
    const outcomes = await mergeRows(project, input, principal, context);
    return { data: { outcomes: [...outcomes] } };
  },

  async 'sync.rehearse'({ body, principal: { key_id }, signal }, { merges }) {
    if (!body) throw badRequest('body is required: send a line of JSON for each record');
    const bytes = await takeIn(body);
    const count = async () => (await readSent(bytes)).length;
    return { data: { records: await merges.run({ key_id, device: null }, count, signal) } };
  },
};
