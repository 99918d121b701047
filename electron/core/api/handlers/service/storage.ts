import { MOST_DEVICES, type StorageCheck } from '#shared/operations/service/storage.ts';
import { formatSeconds } from '#shared/values/time.ts';
import type { Principal } from '../../call.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { deletedBy } from '../../removal/keeping.ts';
import type { LastCheck } from '../../store-checks.ts';

/**
 * The disk is low from here on: time to make room before what was deleted has to go (removal/sweep.ts). Others write to a disk,
 * too, but not to the memory of a service.
 */
const LOW_SHARE = 0.1;
const LOW_BYTES = 1_000_000_000;

const byBytes = <Held extends { readonly bytes: number; readonly name: string }>(a: Held, b: Held) =>
  b.bytes - a.bytes || (a.name < b.name ? -1 : 1);

/** Resolves with the sizes of a project's devices, by the store's own figures. */
async function heldBy(project_id: string, { metadata, records }: Pick<Context, 'metadata' | 'records'>) {
  const devices = await metadata.read((tables) => tables.list('devices', { project_id }));
  const extents = await records.extents(devices.map(({ id }) => id));
  return devices.map(({ id, name }, i) => {
    const { records: rows = 0, bytes = 0 } = extents[i] ?? {};
    return { device_id: id, name, records: rows, bytes };
  });
}

/** With the names that devices have now. */
async function viewOf(
  { at, findings, ...rest }: LastCheck,
  { account_id }: Principal,
  { metadata }: Pick<Context, 'metadata'>,
): Promise<StorageCheck> {
  const named = await metadata.read(async (tables) => {
    const all = [];
    for (const finding of findings) {
      const found = finding.device_id === null ? null : await tables.get('devices', finding.device_id);
      const project = found && (await tables.get('projects', found.project_id));
      const isOwn = found !== null && project?.account_id === account_id;
      const device = isOwn ? { project_id: project.id, project_name: project.name, name: found.name } : null;
      all.push({ ...finding, device });
    }
    return all;
  });
  return { checked_at: formatSeconds(at), ...rest, findings: named };
}

export const storageHandlers: HandlersOf<'storage'> = {
  async 'storage.get'({ principal }, context) {
    const { metadata, records, config } = context;
    const { free, total } = await context.space();
    const low = Math.max(config.memoryBytes === null ? LOW_BYTES : 0, total * LOW_SHARE);
    const found = await metadata.read(async (tables) => ({
      projects: await tables.list('projects'),
      kept: (await tables.list('kept_deletes')).filter(({ state }) => state === 'kept'),
    }));
    const projects = [];
    const elsewhere = { devices: 0, records: 0, bytes: 0 };
    for (const { id, name, account_id } of found.projects) {
      const devices = await heldBy(id, context);
      const held = {
        devices: devices.length,
        records: devices.reduce((sum, device) => sum + device.records, 0),
        bytes: devices.reduce((sum, device) => sum + device.bytes, 0),
      };
      if (account_id === principal.account_id) projects.push({ project_id: id, name, ...held });
      else {
        elsewhere.devices += held.devices;
        elsewhere.records += held.records;
        elsewhere.bytes += held.bytes;
      }
    }
    const next = Math.min(...found.kept.map(({ until }) => until));
    return {
      data: {
        disk: { free, total, is_low: free < low },
        projects: projects.toSorted(byBytes),
        elsewhere,
        kept: {
          deletes: found.kept.length,
          records: found.kept.reduce((sum, row) => sum + (deletedBy(row).records ?? 0), 0),
          bytes: found.kept.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
          until: found.kept.length === 0 ? null : formatSeconds(next),
        },
        check: context.checks.last && (await viewOf(context.checks.last, principal, context)),
        can_back_up: context.backup !== null,
        repaired: records.recovery.map(({ kind, device, message }) => ({ kind, device_id: device, message })),
      },
    };
  },

  async 'storage.check'({ principal }, context) {
    return { data: await viewOf(await context.checks.run(), principal, context) };
  },

  async 'storage.devices'({ project }, context) {
    const devices = await heldBy(project.id, context);
    return { data: devices.toSorted(byBytes).slice(0, MOST_DEVICES) };
  },
};
