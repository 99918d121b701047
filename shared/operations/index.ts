import type { z } from 'zod';
import type { Operation } from '../operation.ts';
import { accessOperations } from './access.ts';
import { accountOperations } from './accounts.ts';
import { chartOperations } from './charts.ts';
import { dataOperations } from './data.ts';
import { deviceOperations } from './devices.ts';
import { doorOperations } from './doors.ts';
import { functionOperations } from './functions.ts';
import { keyFactsOperations } from './key-facts.ts';
import { keySettingsOperations } from './key-settings.ts';
import { jobOperations } from './jobs.ts';
import { keyOperations } from './keys.ts';
import { noteOperations } from './notes.ts';
import { otherServiceOperations } from './other-services.ts';
import { projectOperations } from './projects.ts';
import { pushOperations } from './push.ts';
import { recordOperations } from './records.ts';
import { requestOperations } from './requests.ts';
import { secretsOperations } from './secrets.ts';
import { seriesOperations } from './series.ts';
import { serviceOperations } from './service.ts';
import { settingsOperations } from './settings.ts';
import { undoOperations } from './undo.ts';
import { syncOperations } from './sync.ts';
import { timesOperations } from './times.ts';
import { viewOperations } from './views.ts';
import { storageOperations } from './storage.ts';
import { statesOperations } from './states.ts';
import { statisticsOperations } from './statistics.ts';
import { widgetOperations } from './widgets.ts';

/** Every operation of the service: the ten under /v2, the local ones beyond it, and the windows' own. */
export const operations = {
  ...projectOperations,
  ...deviceOperations,
  ...dataOperations,
  ...serviceOperations,
  ...accessOperations,
  ...accountOperations,
  ...keyOperations,
  ...jobOperations,
  ...recordOperations,
  ...requestOperations,
  ...seriesOperations,
  ...statisticsOperations,
  ...statesOperations,
  ...doorOperations,
  ...functionOperations,
  ...widgetOperations,
  ...keySettingsOperations,
  ...keyFactsOperations,
  ...noteOperations,
  ...viewOperations,
  ...timesOperations,
  ...chartOperations,
  ...undoOperations,
  ...settingsOperations,
  ...storageOperations,
  ...secretsOperations,
  ...otherServiceOperations,
  ...syncOperations,
  ...pushOperations,
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;

/** What a caller gives: text or number where a query string may stand, optional where there is a default. */
export type InputOf<Id extends OperationId> = z.input<Operations[Id]['input']>;
/** What a handler gets: checked, defaults filled in. */
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
