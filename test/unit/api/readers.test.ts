import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/*
 * Who reads records, and in which view. A reader that is new here has to say it first: what a technician sees through corrections is
 * to be the same on every screen, and what is raw is so for a reason.
 */

const CORE = resolve('electron/core');

/** Files that read the view they are asked for. */
const EITHER = [
  'api/corrections/look.ts',
  'api/devices/find-devices.ts',
  'api/devices/find-projects.ts',
  'api/devices/key-excursions.ts',
  'api/devices/key-statistics.ts',
  'api/devices/last-values.ts',
  'api/devices/trends.ts',
  'api/exports/estimate-export.ts',
  'api/exports/plan-export.ts',
  'api/exports/write-export.ts',
  'api/handlers/metadata/devices.ts',
  'api/handlers/records/charts.ts',
  'api/handover/export-page.ts',
  'api/handover/gather-views.ts',
  'api/handover/hand-over.ts',
  'api/handlers/records/key-facts.ts',
  'api/handlers/records/records.ts',
  'api/handlers/records/states.ts',
  'api/handlers/records/times.ts',
  'api/series.ts',
  'export/export-device.ts',
  'survey/excursions.ts',
  'survey/survey-device.ts',
];

/** Files that read what was stored, and why. */
const RAW: Readonly<Record<string, string>> = {
  'api/corrections/check-correction.ts': 'a derived key has the name of no stored one',
  'api/devices/project-keys.ts': 'settings are of keys that are stored',
  'api/handlers/metadata/key-settings.ts': 'settings are of keys that are stored',
  'api/handlers/records/data.ts': '/v2 says what was stored',
  'api/handlers/service/storage.ts': 'what lies on the disk',
  'api/removal/impact.ts': 'a delete takes what was stored',
  'api/removal/keeping.ts': 'a delete takes what was stored',
  'api/store-checks.ts': 'what lies on the disk',
  'api/sync/look.ts': 'a push takes what was stored, and corrections beside it',
  'import/examine-work.ts': 'a file is compared with what was stored',
  'import/import.ts': 'a file is compared with what was stored',
  'import/known.ts': 'a file is compared with what was stored',
  'mqtt/connection/removals.ts': 'a retained message is what the device sent',
  'push/local-side.ts': 'a push takes what was stored, and corrections beside it',
  'simulate/recordings.ts': 'a replay sends what was recorded',
  'sync/merge.ts': 'a push takes what was stored, and corrections beside it',
  'sync/survey-records.ts': 'a push takes what was stored, and corrections beside it',
};

/** Reads of a RecordStore and of its threads, by whatever name it goes. */
const READS =
  /\b(?:records|store|threadWork)\s*\.(?:page|columns|scan|count|countWith|within|keys|summary|extents|latest|series|intervals|readings|snapshot|anySnapshot)\(/;

test('every reader of records says which view it reads', () => {
  const files = readdirSync(CORE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('store/'));
  const readers = files.filter((file) => READS.test(readFileSync(join(CORE, file), 'utf8')));
  expect(readers.toSorted()).toEqual([...EITHER, ...Object.keys(RAW)].toSorted());
});
