import type { z } from 'zod';
import type { Operation } from '../schema/operation.ts';
import { accessOperations } from './service/access.ts';
import { accountOperations } from './metadata/accounts.ts';
import { alarmOperations } from './metadata/alarms.ts';
import { alertOperations } from './metadata/alerts.ts';
import { auditOperations } from './service/audit.ts';
import { backupOperations } from './service/backup.ts';
import { chanceOperations } from './service/chance.ts';
import { chartOperations } from './records/charts.ts';
import { clockOperations } from './service/clock.ts';
import { correctionOperations } from './metadata/corrections.ts';
import { dataOperations } from './records/data.ts';
import { deviceOperations } from './metadata/devices.ts';
import { doorOperations } from './service/doors.ts';
import { editOperations } from './metadata/edits.ts';
import { excursionOperations } from './records/excursions.ts';
import { faultOperations } from './service/faults.ts';
import { functionOperations } from './metadata/functions.ts';
import { handoverOperations } from './service/handover.ts';
import { keyFactsOperations } from './records/key-facts.ts';
import { keySettingsOperations } from './metadata/key-settings.ts';
import { jobOperations } from './service/jobs.ts';
import { keyOperations } from './metadata/keys.ts';
import { noteOperations } from './metadata/notes.ts';
import { otherServiceOperations } from './service/other-services.ts';
import { projectOperations } from './metadata/projects.ts';
import { pushOperations } from './records/push.ts';
import { recordOperations } from './records/records.ts';
import { ruleOperations } from './metadata/rules.ts';
import { requestOperations } from './service/requests.ts';
import { secretsOperations } from './service/secrets.ts';
import { seedOperations } from './service/seed.ts';
import { seriesOperations } from './records/series.ts';
import { serviceOperations } from './service/service.ts';
import { settingsOperations } from './service/settings.ts';
import { snapshotOperations } from './metadata/snapshots.ts';
import { simulatorOperations } from './service/simulators.ts';
import { uploadOperations } from './service/uploads.ts';
import { undoOperations } from './metadata/undo.ts';
import { syncOperations } from './records/sync.ts';
import { timesOperations } from './records/times.ts';
import { viewOperations } from './metadata/views.ts';
import { storageOperations } from './service/storage.ts';
import { statesOperations } from './records/states.ts';
import { statisticsOperations } from './records/statistics.ts';
import { widgetOperations } from './metadata/widgets.ts';

/** Every operation of the service: the ten under /v2, the local ones beyond it, and the windows' own. */
export const operations = {
  ...projectOperations,
  ...deviceOperations,
  ...dataOperations,
  ...serviceOperations,
  ...accessOperations,
  ...accountOperations,
  ...alarmOperations,
  ...alertOperations,
  ...auditOperations,
  ...backupOperations,
  ...handoverOperations,
  ...chanceOperations,
  ...clockOperations,
  ...keyOperations,
  ...jobOperations,
  ...recordOperations,
  ...requestOperations,
  ...seedOperations,
  ...simulatorOperations,
  ...uploadOperations,
  ...seriesOperations,
  ...statisticsOperations,
  ...statesOperations,
  ...excursionOperations,
  ...doorOperations,
  ...faultOperations,
  ...functionOperations,
  ...ruleOperations,
  ...widgetOperations,
  ...keySettingsOperations,
  ...editOperations,
  ...keyFactsOperations,
  ...noteOperations,
  ...correctionOperations,
  ...viewOperations,
  ...timesOperations,
  ...chartOperations,
  ...undoOperations,
  ...settingsOperations,
  ...snapshotOperations,
  ...storageOperations,
  ...secretsOperations,
  ...otherServiceOperations,
  ...syncOperations,
  ...pushOperations,
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;

/** Input of a caller: text or number where a query string may stand, optional where there is a default. */
export type InputOf<Id extends OperationId> = z.input<Operations[Id]['input']>;
/** Input of a handler: checked, defaults filled in. */
export type CheckedInput<Id extends OperationId> = z.output<Operations[Id]['input']>;
/** The envelope's `data`. */
export type OutputOf<Id extends OperationId> = z.output<Operations[Id]['output']>;

/** Operations by what their body and their answer are. */
export type UploadId = {
  [Id in OperationId]: Operations[Id]['body'] extends 'stream' ? Id : never;
}[OperationId];
export type DownloadId = {
  [Id in OperationId]: Operations[Id]['reply'] extends 'stream' ? Id : never;
}[OperationId];
export type ArraysId = {
  [Id in OperationId]: Operations[Id]['reply'] extends 'arrays' ? Id : never;
}[OperationId];
export type CallId = Exclude<OperationId, UploadId | DownloadId | ArraysId>;
/** Operations that have a route. */
export type HttpId = {
  [Id in OperationId]: Operations[Id]['door'] extends 'all' ? Id : never;
}[OperationId];

export const operationIds = Object.keys(operations) as OperationId[];
export const httpOperationIds = operationIds.filter((id): id is HttpId => operations[id].door === 'all');

export function isOperationId(value: unknown): value is OperationId {
  return typeof value === 'string' && Object.hasOwn(operations, value);
}

/** The operation, typed as any operation: for code that treats them all alike. */
export function operationOf(id: OperationId): Operation {
  return operations[id];
}

/** Whether the operation is one of the ten under /v2 or lies beyond them. */
export function inV2(id: OperationId): boolean {
  return operationOf(id).path.startsWith('/v2/');
}
