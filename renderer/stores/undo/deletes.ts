import type { OperationId, OutputOf } from '#shared/operations/index.ts';
import type { Impact } from '#shared/schema/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { may, useMay } from '../../bridge/distant.ts';
import { readAllDevices } from '../found-devices.ts';

/* Deletes that can be undone where the service has them, and the document's, which are final, where not. */

type Deletion = Pick<OutputOf<'devices.remove'>, 'deleted'> & Partial<OutputOf<'devices.remove'>>;

interface Place {
  readonly project_id: string;
  readonly device_id: string;
}

/** Returns which of two deletes this window may do; where neither, the first. */
export function useDeleteOf(undoable: OperationId, final: OperationId): OperationId {
  const [isUndoable, isFinal] = [useMay(undoable), useMay(final)];
  return !isUndoable && isFinal ? final : undoable;
}

/** Whether nothing brings back what is deleted here by an operation that elsewhere can be undone. */
export const isFinalDelete = (undoable: OperationId) => !may(undoable);

/** Why data are changed, for an operation that takes a reason; deletes of the document take none. */
export interface Why {
  readonly reason?: string;
}

export function deleteProject(project_id: string, why: Why): Promise<Deletion> {
  return may('projects.remove')
    ? ask('projects.remove', { project_id, ...why })
    : ask('projects.delete', { project_id });
}

export function deleteDevice(place: Place, why: Why): Promise<Deletion> {
  return may('devices.remove') ? ask('devices.remove', { ...place, ...why }) : ask('devices.delete', place);
}

export function purge(place: Place, why: Why): Promise<Deletion> {
  return may('records.delete') ? ask('records.delete', { ...place, ...why }) : ask('data.purge', place);
}

/** Resolves with the impact of deleting the project: without the service's own count, the sum of its devices. */
export async function impactOfProject(project_id: string, name: string): Promise<Impact> {
  if (may('projects.impact')) return ask('projects.impact', { project_id });
  const devices = await readAllDevices(project_id);
  const records = devices.reduce((sum, device) => sum + device.records, 0);
  return { name, deleted: { devices: devices.length, records }, ...UNKNOWN };
}

/** Resolves with the impact of deleting a device, or its data. */
export async function impactOfDevice(place: Place, name: string): Promise<Impact> {
  if (may('devices.impact')) return ask('devices.impact', place);
  const { records, first, last } = await ask('devices.summary', place);
  return { name, deleted: { devices: 1, records }, ...UNKNOWN, first, last };
}

const UNKNOWN = { widgets_trimmed: 0, first: null, last: null, bytes: 0 } as const;

/**
 * Calls `changed` whenever the impact of deleting the device (null: the project) may be another; returns what stops that.
 * `isLive`: also when records are stored, which may be at every moment.
 */
export function listenToImpact(
  project_id: string,
  device_id: string | null,
  changed: () => void,
  { isLive }: { readonly isLive: boolean },
): () => void {
  const ofRecords = { project_id, ...(device_id !== null && { device_id }) };
  const stops = [
    bridge.subscribe('records.removed', changed, ofRecords),
    ...(['projects.changed', 'devices.changed', 'functions.changed', 'widgets.changed'] as const).map(
      (topic) => bridge.subscribe(topic, changed, { project_id }),
    ),
  ];
  if (isLive) stops.push(bridge.subscribe('records.stored', changed, ofRecords));
  return () => stops.forEach((stop) => stop());
}
