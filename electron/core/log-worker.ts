import { IMPORT, importTask } from './jobs/import-task.ts';
import { packRecords } from './store/log/packer.ts';
import { rewriteWork } from './store/log/rewrite-work.ts';
import { serveTasks, workFor } from './threads/serve.ts';

/* The script of the log's worker threads (Config.logWorker): a kind of task a line. */

serveTasks([workFor(IMPORT, importTask(packRecords)), rewriteWork]);
