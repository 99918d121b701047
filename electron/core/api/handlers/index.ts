import type { Handlers } from '../context.ts';
import { accountHandlers } from './accounts.ts';
import { chartHandlers } from './charts.ts';
import { dataHandlers } from './data.ts';
import { deviceHandlers } from './devices.ts';
import { functionHandlers } from './functions.ts';
import { keyHandlers } from './keys.ts';
import { projectHandlers } from './projects.ts';
import { recordHandlers } from './records.ts';
import { seriesHandlers } from './series.ts';
import { serviceHandlers } from './service.ts';
import { widgetHandlers } from './widgets.ts';

/** The handler of every operation. */
export const handlers: Handlers = {
  ...projectHandlers,
  ...deviceHandlers,
  ...dataHandlers,
  ...serviceHandlers,
  ...accountHandlers,
  ...keyHandlers,
  ...recordHandlers,
  ...seriesHandlers,
  ...functionHandlers,
  ...widgetHandlers,
  ...chartHandlers,
};
