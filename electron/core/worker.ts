import { IMPORT, importWork } from './import/import-work.ts';
import { INSPECT, inspectWork } from './import/inspect-work.ts';
import { EXPORT, exportWork } from './export/export-work.ts';
import { UPLOAD, uploadWork } from './ingest/upload-work.ts';
import { completeLanguage } from './language.ts';
import { packRecords } from './store/blocks/block/packer.ts';
import { rewriteWork } from './store/log/segment/rewrite-work.ts';
import { writeSnapshot } from './store/log/device/write-snapshot.ts';
import { serveTasks, workFor } from './threads/serve.ts';

/*
 * The script of worker threads (Config.workerScript): a kind of task a line. Imports and uploads are packed into blocks: a
 * store that offers `threadWork` reads those.
 */

await completeLanguage();
serveTasks([
  workFor(IMPORT, importWork(packRecords)),
  workFor(INSPECT, inspectWork),
  workFor(UPLOAD, uploadWork(packRecords)),
  workFor(EXPORT, exportWork(writeSnapshot)),
  rewriteWork,
]);
