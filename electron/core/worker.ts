import { IMPORT, importTask } from './import/import-work.ts';
import { EXPORT, exportTask } from './export/export-work.ts';
import { completeLanguage } from './language.ts';
import { packRecords } from './store/blocks/block/packer.ts';
import { rewriteWork } from './store/log/segment/rewrite-work.ts';
import { scanView } from './store/log/device/scan-snapshot.ts';
import { serveTasks, workFor } from './threads/serve.ts';

/* The script of worker threads (Config.workerScript): a kind of task a line. */

await completeLanguage();
serveTasks([workFor(IMPORT, importTask(packRecords)), workFor(EXPORT, exportTask(scanView)), rewriteWork]);
