/*
 * A process that stores records in a database until it is killed: `node writer.ts <url> <number>`. Each line of its output
 * says what it is about to do or what it was told, with CLOCK_MONOTONIC, which all processes share: "call d1 17 <ns>",
 * "done d1 17 <ns>", "commit 3", "committed 3". What ends in an error is sent again with its receipt.
 */
import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '#core/disk/errors.ts';
import { StoreError } from '#core/base/errors.ts';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import { migrate } from '#core/store/postgres/schema/migrate.ts';
import { openPostgresRecords } from '#core/store/postgres/records.ts';
import { BATCH_RECORDS, DEVICES, IMPORTS, PER_WRITER } from './history.ts';

const STDOUT = 1;
const AT_ONCE = 6;
/** So small that all of it is sealed and merged all the time. */
const LIMITS = { tailRows: 24, segmentRows: 256, goneSeconds: 1, silentSeconds: 5, cleanUpMs: 500 };
/** All records are of one instant, so that they are shown in the order of their arrival. */
const INSTANT = 1000;

const [url = '', number = ''] = process.argv.slice(2);
/** Returns once it is in the pipe, out of which no kill takes it: process.stdout would keep for itself what a full one does not take. */
function say(line: string): void {
  let left = Buffer.from(`${line}\n`);
  while (left.length > 0)
    try {
      left = left.subarray(writeSync(STDOUT, left));
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
    }
}
const now = () => process.hrtime.bigint();

const database = await openDatabase({ url });
const layout = await migrate(database);
// Every other one stores as over several nodes.
const isSpread = layout.isSpread || Number(number) % 2 === 1;
const store = openPostgresRecords(database, { ...layout, isSpread }, LIMITS);
let next = Number(number) * PER_WRITER;

const recordOf = (n: number) => ({ timestamp: INSTANT, received: INSTANT, keys: ['n'], values: [n] });

/** Until somebody says that it is stored: nothing but a lost database may keep it from that. */
async function untilStored(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'unreachable')) throw error;
      await delay(20);
    }
  }
}

async function appends(): Promise<never> {
  for (;;) {
    const n = next++;
    const device = DEVICES[n % DEVICES.length] ?? '';
    say(`call ${device} ${n} ${now()}`);
    await untilStored(() => store.append(device, [recordOf(n)], { receipt: `${n}` }));
    say(`done ${device} ${n} ${now()}`);
  }
}

async function imports(): Promise<never> {
  for (;;) {
    const n = next++;
    say(`commit ${n}`);
    const batch = await store.batch(IMPORTS).catch(() => null);
    if (batch === null) continue;
    try {
      const from = n * BATCH_RECORDS;
      await batch.add(Array.from({ length: BATCH_RECORDS }, (_, i) => recordOf(from + i)));
      await batch.commit();
      say(`committed ${n}`);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      await batch.abort().catch(() => undefined);
    }
    await delay(50);
  }
}

say('up');
await Promise.all([...Array.from({ length: AT_ONCE }, appends), imports()]);
