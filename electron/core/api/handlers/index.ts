import type { Handlers } from '../context.ts';
import { accessHandlers } from './service/access.ts';
import { auditHandlers } from './service/audit.ts';
import { backupHandlers } from './service/backup.ts';
import { accountHandlers } from './metadata/accounts.ts';
import { alarmHandlers } from './metadata/alarms.ts';
import { alertHandlers } from './metadata/alerts.ts';
import { chanceHandlers } from './service/chance.ts';
import { chartHandlers } from './records/charts.ts';
import { clockHandlers } from './service/clock.ts';
import { correctionHandlers } from './metadata/corrections.ts';
import { dataHandlers } from './records/data.ts';
import { deviceHandlers } from './metadata/devices.ts';
import { doorHandlers } from './service/doors.ts';
import { editHandlers } from './metadata/edits.ts';
import { excursionHandlers } from './records/excursions.ts';
import { faultHandlers } from './service/faults.ts';
import { functionHandlers } from './metadata/functions.ts';
import { handoverHandlers } from './service/handover.ts';
import { keyFactsHandlers } from './records/key-facts.ts';
import { keySettingsHandlers } from './metadata/key-settings.ts';
import { jobHandlers } from './service/jobs.ts';
import { keyHandlers } from './metadata/keys.ts';
import { noteHandlers } from './metadata/notes.ts';
import { otherServiceHandlers } from './service/other-services.ts';
import { projectHandlers } from './metadata/projects.ts';
import { pushHandlers } from './records/push.ts';
import { recordHandlers } from './records/records.ts';
import { ruleHandlers } from './metadata/rules.ts';
import { requestHandlers } from './service/requests.ts';
import { secretsHandlers } from './service/secrets.ts';
import { seedHandlers } from './service/seed.ts';
import { seriesHandlers } from './records/series.ts';
import { serviceHandlers } from './service/service.ts';
import { settingsHandlers } from './service/settings.ts';
import { simulatorHandlers } from './service/simulators.ts';
import { uploadHandlers } from './service/uploads.ts';
import { undoHandlers } from './metadata/undo.ts';
import { snapshotHandlers } from './metadata/snapshots.ts';
import { timesHandlers } from './records/times.ts';
import { viewHandlers } from './metadata/views.ts';
import { storageHandlers } from './service/storage.ts';
import { statesHandlers } from './records/states.ts';
import { statisticsHandlers } from './records/statistics.ts';
import { syncHandlers } from './records/sync.ts';
import { widgetHandlers } from './metadata/widgets.ts';

/** The handler of every operation. */
export const handlers: Handlers = {
  ...projectHandlers,
  ...deviceHandlers,
  ...dataHandlers,
  ...serviceHandlers,
  ...accessHandlers,
  ...accountHandlers,
  ...alarmHandlers,
  ...alertHandlers,
  ...auditHandlers,
  ...backupHandlers,
  ...handoverHandlers,
  ...chanceHandlers,
  ...clockHandlers,
  ...keyHandlers,
  ...jobHandlers,
  ...recordHandlers,
  ...requestHandlers,
  ...seedHandlers,
  ...simulatorHandlers,
  ...uploadHandlers,
  ...seriesHandlers,
  ...statisticsHandlers,
  ...statesHandlers,
  ...excursionHandlers,
  ...doorHandlers,
  ...faultHandlers,
  ...functionHandlers,
  ...ruleHandlers,
  ...widgetHandlers,
  ...keySettingsHandlers,
  ...editHandlers,
  ...keyFactsHandlers,
  ...noteHandlers,
  ...correctionHandlers,
  ...viewHandlers,
  ...timesHandlers,
  ...chartHandlers,
  ...undoHandlers,
  ...settingsHandlers,
  ...snapshotHandlers,
  ...storageHandlers,
  ...secretsHandlers,
  ...otherServiceHandlers,
  ...syncHandlers,
  ...pushHandlers,
};
