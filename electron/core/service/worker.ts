import { IMPORT, importWork } from '../import/import-work.ts';
import { EXAMINE, examineWork } from '../import/examine-work.ts';
import { INSPECT, inspectWork } from '../import/inspect-work.ts';
import { EXPORT, exportWork } from '../export/export-work.ts';
import { PACKED_VIEW } from '../handover/page/pack-view.ts';
import { UPLOAD, uploadWork } from '../ingest/upload-work.ts';
import { RULE_RECORDS, RULE_VALUES } from '../rules/cell-survey.ts';
import { EQUAL_RECORDS } from '../survey/equal-records.ts';
import { RATES } from '../survey/rates.ts';
import { STATES } from '../survey/states.ts';
import { STATISTICS } from '../survey/statistics.ts';
import { surveyWork } from '../survey/survey.ts';
import { PICTURES } from '../survey/pictures.ts';
import { SUSPECTS } from '../survey/suspects.ts';
import { TIMES } from '../survey/times.ts';
import { DIGESTS } from '../sync/digests.ts';
import { IDS } from '../sync/ids.ts';
import { completeLanguage } from '../base/language.ts';
import { packRecords } from '../store/blocks/block/packer.ts';
import { checkWork } from '../store/log/check/check-work.ts';
import { rewriteWork } from '../store/log/segment/rewrite-work.ts';
import { walkSnapshot } from '../store/log/device/snapshot/walk-snapshot.ts';
import { withKnown } from '../store/log/device/with-known.ts';
import { writeSnapshot } from '../store/log/device/snapshot/write-snapshot.ts';
import { serveTasks, workFor } from '../threads/serve.ts';

/*
 * The script of worker threads (Config.workerScript): a kind of task a line. Imports and uploads are packed into blocks: a
 * store that offers `threadWork` reads those.
 */

await completeLanguage();
serveTasks([
  workFor(IMPORT, importWork(packRecords, withKnown)),
  workFor(EXAMINE, examineWork(withKnown)),
  workFor(INSPECT, inspectWork),
  workFor(UPLOAD, uploadWork(packRecords)),
  workFor(EXPORT, exportWork(writeSnapshot)),
  workFor(STATISTICS.kind, surveyWork(STATISTICS, walkSnapshot)),
  workFor(STATES.kind, surveyWork(STATES, walkSnapshot)),
  workFor(RATES.kind, surveyWork(RATES, walkSnapshot)),
  workFor(TIMES.kind, surveyWork(TIMES, walkSnapshot)),
  workFor(PICTURES.kind, surveyWork(PICTURES, walkSnapshot)),
  workFor(SUSPECTS.kind, surveyWork(SUSPECTS, walkSnapshot)),
  workFor(EQUAL_RECORDS.kind, surveyWork(EQUAL_RECORDS, walkSnapshot)),
  workFor(DIGESTS.kind, surveyWork(DIGESTS, walkSnapshot)),
  workFor(IDS.kind, surveyWork(IDS, walkSnapshot)),
  workFor(RULE_VALUES.kind, surveyWork(RULE_VALUES, walkSnapshot)),
  workFor(RULE_RECORDS.kind, surveyWork(RULE_RECORDS, walkSnapshot)),
  workFor(PACKED_VIEW.kind, surveyWork(PACKED_VIEW, walkSnapshot)),
  rewriteWork,
  checkWork,
]);
