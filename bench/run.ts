import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFixtures } from './lib/fixture.ts';
import { machine, tableOf, writeResults } from './lib/report.ts';
import { short, type Bench, type Figure, type Row } from './lib/row.ts';
import { builtWorker } from './lib/built.ts';
import { openLog } from '../electron/core/store/log/log.ts';
import { createThreads } from '../electron/core/threads/threads.ts';
import { backup } from './rows/backup.ts';
import { handover } from './rows/trust/handover.ts';
import { chart } from './rows/chart.ts';
import { corrections } from './rows/trust/corrections.ts';
import { dashboard } from './rows/dashboard.ts';
import { decoders } from './rows/trust/decoders.ts';
import { devices } from './rows/devices.ts';
import { storedDevices } from './rows/stored-devices.ts';
import { excursions } from './rows/trust/excursions.ts';
import { rules } from './rows/trust/rules.ts';
import { liveRules } from './rows/trust/live-rules.ts';
import { rates } from './rows/rates.ts';
import { files } from './rows/files.ts';
import { fleet } from './rows/fleet.ts';
import { http } from './rows/http.ts';
import { ingest } from './rows/ingest.ts';
import { keychain } from './rows/keychain.ts';
import { lab } from './rows/lab/lab.ts';
import { labServices } from './rows/lab/lab-services.ts';
import { load } from './rows/load.ts';
import { mqtt } from './rows/mqtt.ts';
import { pages } from './rows/pages.ts';
import { purge } from './rows/purge.ts';
import { series } from './rows/series.ts';
import { service } from './rows/service.ts';
import { size } from './rows/size.ts';
import { sniffers } from './rows/sniffers.ts';
import { snapshots } from './rows/worlds/snapshots.ts';
import { start } from './rows/start.ts';
import { uploads } from './rows/uploads.ts';
import { vault } from './rows/vault.ts';
import { window } from './rows/window.ts';
import { wholeBackup } from './rows/trust/whole-backup.ts';
import { workbook } from './rows/trust/workbook.ts';
import { worlds } from './rows/worlds/worlds.ts';
import { writers } from './rows/writers.ts';

const ROWS: readonly Row[] = [
  ingest,
  writers,
  size,
  pages,
  http,
  start,
  purge,
  series,
  corrections,
  excursions,
  rules,
  liveRules,
  rates,
  load,
  lab,
  labServices,
  files,
  workbook,
  backup,
  wholeBackup,
  handover,
  snapshots,
  sniffers,
  service,
  uploads,
  devices,
  storedDevices,
  worlds,
  fleet,
  decoders,
  mqtt,
  vault,
  keychain,
  chart,
  window,
  dashboard,
];
const { values: flags } = parseArgs({
  options: {
    large: { type: 'boolean', default: false },
    huge: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const names = ROWS.map(({ name }) => name);
const chosen = ROWS.filter(({ name }) => flags.only === undefined || flags.only.split(',').includes(name));
if (chosen.length === 0) {
  console.error(`There is no row "${flags.only}"; the rows are ${names.join(', ')}.`);
  process.exit(2);
}

const records = flags.huge ? 100_000_000 : flags.large ? 10_000_000 : flags.small ? 100_000 : 1_000_000;
const threads = createThreads({ script: builtWorker() });
const openStore = (directory: string) => openLog({ directory, threads });
const fixtures = await createFixtures(openStore);
const notes: string[] = [];
const bench: Bench = {
  records,
  devices: flags.small ? 1000 : 10_000,
  isSmall: flags.small,
  openStore,
  ...fixtures,
  async madeFolder() {
    const folder = await fixtures.folder();
    await mkdir(folder, { recursive: true });
    return folder;
  },
  note: (text) => void notes.push(text),
};

const figures: Figure[] = [];
let failed = false;
try {
  for (const row of chosen) {
    console.log(`${row.title} …`);
    try {
      const found = await row.run(bench);
      figures.push(...found);
      console.log(tableOf(found));
    } catch (error) {
      failed = true;
      console.error(`${row.name} failed:`, error);
    } finally {
      await fixtures.endRow();
    }
  }
} finally {
  await fixtures.close();
}

const title = `${new Date().toISOString().slice(0, 10)}, ${short(records)} records. ${machine()}.`;
const results = [title, tableOf(figures), ...notes].join('\n\n');
console.log(`\n${results}`);
if (flags.write) writeResults(join(import.meta.dirname, 'README.md'), results);
process.exit(failed ? 1 : 0);
