import type { Handlers } from '../context.ts';
import { accessHandlers } from './access.ts';
import { accountHandlers } from './accounts.ts';
import { chartHandlers } from './charts.ts';
import { dataHandlers } from './data.ts';
import { deviceHandlers } from './devices.ts';
import { doorHandlers } from './doors.ts';
import { functionHandlers } from './functions.ts';
import { keyFactsHandlers } from './key-facts.ts';
import { keySettingsHandlers } from './key-settings.ts';
import { jobHandlers } from './jobs.ts';
import { keyHandlers } from './keys.ts';
import { noteHandlers } from './notes.ts';
import { otherServiceHandlers } from './other-services.ts';
import { projectHandlers } from './projects.ts';
import { pushHandlers } from './push.ts';
import { recordHandlers } from './records.ts';
import { requestHandlers } from './requests.ts';
import { secretsHandlers } from './secrets.ts';
import { seriesHandlers } from './series.ts';
import { serviceHandlers } from './service.ts';
import { settingsHandlers } from './settings.ts';
import { undoHandlers } from './undo.ts';
import { timesHandlers } from './times.ts';
import { viewHandlers } from './views.ts';
import { storageHandlers } from './storage.ts';
import { statesHandlers } from './states.ts';
import { statisticsHandlers } from './statistics.ts';
import { syncHandlers } from './sync.ts';
import { widgetHandlers } from './widgets.ts';

/** The handler of every operation. */
export const handlers: Handlers = {
  ...projectHandlers,
  ...deviceHandlers,
  ...dataHandlers,
  ...serviceHandlers,
  ...accessHandlers,
  ...accountHandlers,
  ...keyHandlers,
  ...jobHandlers,
  ...recordHandlers,
  ...requestHandlers,
  ...seriesHandlers,
  ...statisticsHandlers,
  ...statesHandlers,
  ...doorHandlers,
  ...functionHandlers,
  ...widgetHandlers,
  ...keySettingsHandlers,
  ...keyFactsHandlers,
  ...noteHandlers,
  ...viewHandlers,
  ...timesHandlers,
  ...chartHandlers,
  ...undoHandlers,
  ...settingsHandlers,
  ...storageHandlers,
  ...secretsHandlers,
  ...otherServiceHandlers,
  ...syncHandlers,
  ...pushHandlers,
};
