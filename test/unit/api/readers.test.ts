import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readsIn } from './calls-of-stores.ts';

/*
 * Readers of records, and their views. A read that is new here has to say it first, in a file that has others, too: what a technician
 * sees through corrections is to be the same on every screen, and what is raw is so for a reason.
 */

const CORE = resolve('electron/core');

/** Reads of the view that is asked for, in the order of their file: `method(first argument)`. */
const EITHER: Readonly<Record<string, readonly string[]>> = {
  'api/corrections/look.ts': [
    'within(lens === null ? device : { device, lens })',
    'within(of)',
    'countWith(of)',
    'summary(after)',
  ],
  'api/corrections/successors.ts': ['within(of)'],
  'api/devices/find-devices.ts': ['extents(await viewsOf(found))', 'extents(views)'],
  'api/devices/find-projects.ts': ['extents(views)'],
  'api/devices/key-excursions.ts': ['within(of)', 'intervals(of)'],
  'api/devices/key-statistics.ts': ['intervals(of)', 'summary(of)'],
  'api/devices/last-values.ts': [
    'latest(devices.map((device) => ({ device, keys: asked })))',
    'latest(asked)',
  ],
  'api/devices/trends.ts': ['extents(views)', 'series(of)'],
  'api/exports/estimate-export.ts': ['countWith(of)', 'scan(each.of)'],
  'api/exports/plan-export.ts': ['keys(of)', 'within(of)'],
  'api/exports/write-export.ts': ['keys(plan.of)', 'within(plan.of)'],
  'api/handlers/metadata/devices.ts': ['summary(of)'],
  'api/handlers/records/charts.ts': ['columns(of)', 'intervals(of)'],
  'api/handlers/records/key-facts.ts': [
    'summary(of)',
    'series(of)',
    'latest([{ device: of, keys: keys.map(({ key }) => key) }])',
  ],
  'api/handlers/records/records.ts': ['within(of)'],
  'api/handlers/records/states.ts': ['summary(of)'],
  'api/handlers/records/times.ts': ['summary(of)', 'within(device)', 'intervals(device)'],
  'api/handover/export-page.ts': ['scan(of)'],
  'api/handover/gather-views.ts': ['keys(of)', 'within(of)', 'within(of)', 'keys(of)', 'summary(of)'],
  'api/handover/hand-over.ts': ['within(of)', 'within(of)'],
  'api/rules/outbox.ts': ['latest([{ device: of, keys: keysOfRule(said) }])'],
  'api/rules/unseen-keys.ts': ['latest(first.filter(({ keys }) => keys.length > 0))', 'keys(device)'],
  'api/series.ts': [
    'summary(device)',
    'series(device)',
    'series(device)',
    'within(device)',
    'within(device)',
  ],
  'export/export-device.ts': ['snapshot(device)', 'scan(device)'],
  'rules/judge.ts': ['within(device)', 'within(device)'],
  'rules/plan-marks.ts': ['columns(device)', 'within(device)'],
  'rules/scan-leaves.ts': ['scan(device)'],
  'rules/walk-leaves.ts': ['readings(device)', 'readings(device)'],
  'survey/excursions.ts': ['readings(device)'],
  'survey/survey-device.ts': ['snapshot(device)', 'snapshot(device)', 'scan(device)'],
};

interface Stored {
  readonly why: string;
  readonly reads: readonly string[];
}

const KEYS = 'settings are of keys that are stored';
const DISK = 'what lies on the disk';
const DELETE = 'a delete takes what was stored';
const FILE = 'a file is compared with what was stored';
const BYTES = 'a decoder is given bytes as they came, and corrections come behind it';
const PUSH = 'a push takes what was stored, and corrections beside it';

/** Reads of what was stored, and why. */
const RAW: Readonly<Record<string, Stored>> = {
  'api/corrections/check-correction.ts': {
    why: 'a derived key has the name of no stored one',
    reads: ['keys(id)'],
  },
  'api/devices/project-keys.ts': { why: KEYS, reads: ['keys(id)'] },
  'api/functions/decode-records.ts': { why: BYTES, reads: ['within(device.id)'] },
  'api/functions/look.ts': {
    why: BYTES,
    reads: [
      'keys(device.id)',
      'countWith(device)',
      'countWith(device)',
      'latest([{ device, keys: [UPLINK.error] }])',
      'scan(device)',
    ],
  },
  'functions/decode-again.ts': { why: BYTES, reads: ['scan(device.id)'] },
  'api/handlers/metadata/key-settings.ts': { why: KEYS, reads: ['keys(id)'] },
  'api/handlers/records/data.ts': {
    why: '/v2 says what was stored',
    reads: ['page(device.id)', 'keys(device.id)'],
  },
  'api/handlers/service/storage.ts': { why: DISK, reads: ['extents(devices.map(({ id }) => id))'] },
  'api/removal/impact.ts': { why: DELETE, reads: ['extents(devices)'] },
  'api/removal/keeping.ts': { why: DELETE, reads: ["extents(idsOf(rows, 'devices'))"] },
  'api/removal/undo-decoding.ts': { why: BYTES, reads: ['count(device_id)', 'scan(device_id)'] },
  'api/store-checks.ts': { why: DISK, reads: ['extents(devices)'] },
  'api/sync/look.ts': { why: PUSH, reads: ['extents([id])', 'summary(device_id)'] },
  'import/examine-work.ts': { why: FILE, reads: ['anySnapshot(device)'] },
  'import/import.ts': { why: FILE, reads: ['anySnapshot(device)', 'count(device)'] },
  'import/known.ts': { why: FILE, reads: ['scan(device)'] },
  'mqtt/connection/removals.ts': {
    why: 'a retained message is what the device sent',
    reads: ['summary(device)', 'scan(topic)'],
  },
  'push/local-side.ts': { why: PUSH, reads: ['within(this.#device)', 'scan(this.#device)'] },
  'simulate/recordings.ts': {
    why: 'a replay sends what was recorded',
    reads: ['within(device)', 'scan(device)'],
  },
  'sync/merge.ts': { why: PUSH, reads: ['scan(device)'] },
  'sync/survey-records.ts': { why: PUSH, reads: ['keys(of.device)', 'keys(of.device)'] },
};

/** What has a name of a store, and is none: how many records came. */
const NO_STORE: Readonly<Record<string, readonly string[]>> = {
  'ingest/json/read-json.ts': ['count', 'count', 'count'],
  'ingest/json/read-lines.ts': ['count'],
  'mqtt/connection/storing.ts': ['count'],
  'mqtt/connection/wills.ts': ['count'],
  'mqtt/sessions/message.ts': ['count'],
};

test('every read of records says which view it reads', () => {
  const files = readdirSync(CORE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('store/'));
  const found = files
    .map((file) => [file, readsIn(readFileSync(join(CORE, file), 'utf8'))] as const)
    .filter(([, reads]) => reads.length > 0);
  const stored = Object.entries(RAW).map(([file, { reads }]) => [file, reads] as const);
  expect(Object.fromEntries(found)).toEqual({ ...EITHER, ...Object.fromEntries(stored), ...NO_STORE });
});

test('none of the view that is asked for takes a device by its id, which is what was stored', () => {
  const byId = Object.entries(EITHER).flatMap(([file, reads]) =>
    reads.filter((read) => /\bid\b|_id\b/.test(read)).map((read) => `${file}: ${read}`),
  );
  expect(byId).toEqual([]);
});

describe('a read is seen', () => {
  const seen: Readonly<Record<string, readonly [text: string, ...reads: string[]]>> = {
    'that is called': ['await context.records.page(device.id, query);', 'page(device.id)'],
    'each for itself': ['records.keys(of); records.keys(device.id);', 'keys(of)', 'keys(device.id)'],
    'where it may be none': ['context?.records?.keys(of)', 'keys(of)'],
    'by a name in brackets': ["records['page'](device.id)", 'page(device.id)'],
    'taken out of a store': ['const { page, append } = context.records; page(device.id);', 'page'],
    'taken out by another name': ['const { page: read } = records;', 'page'],
    'taken out of what has a store': ['const { records: { scan } } = context;', 'scan'],
    'taken out by a function': ['function f({ records: { scan } }: Context) {}', 'scan'],
    'taken out by its type': ['function f({ scan }: Pick<RecordStore, "scan">) {}', 'scan'],
    'handed on': ['use(records.scan)', 'scan'],
    'of a store by another name': ['const all = context.records; all.page(device.id);', 'page(device.id)'],
    'renamed as it comes': ['function f({ records: all }: Context) { all.page(id); }', 'page(id)'],
    'of a store by its type': ['function f(all: RecordStore) { all.page(id); }', 'page(id)'],
    'of threads': ['function f(threads: ThreadWork | null) { threads?.snapshot(id); }', 'snapshot(id)'],
    'of what a context has': ["function f(all: Context['records']) { all.page(id); }", 'page(id)'],
    'of a class': ['class A { readonly #all: RecordStore; b() { this.#all.page(id); } }', 'page(id)'],
    'behind letters of more bytes': ['// “°C”\nrecords.page("µ°");', 'page("µ°")'],
  };
  test.each(Object.entries(seen))('%s', (_, [text, ...reads]) => {
    expect(readsIn(text)).toEqual(reads);
  });

  test('and nothing else', () => {
    const text =
      'const records = [1]; records.length; list.keys(of); const { records: all } = context; use(all);';
    expect(readsIn(text)).toEqual([]);
  });
});
