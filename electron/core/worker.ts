import { IMPORT, importTask } from './import/import-work.ts';
import { EXPORT, exportTask } from './export/export-work.ts';
import { completeLanguage } from './language.ts';
import { packRecords } from './store/log/packer.ts';
import { rewriteWork } from './store/log/rewrite-work.ts';
import { scanView } from './store/log/scan-view.ts';
import { serveTasks, workFor } from './threads/serve.ts';

/* The script of worker threads (Config.workerScript): a kind of task a line. */

await completeLanguage();
serveTasks([workFor(IMPORT, importTask(packRecords)), workFor(EXPORT, exportTask(scanView)), rewriteWork]);
