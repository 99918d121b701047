import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { dataOf } from '../../contract/world.ts';
import { anyOf } from './lab.ts';
import type { RunningService } from '../service/running-service.ts';

/*
 * What is read at one service while others store: the history of one device is a list that is only appended to, and every
 * read must be a beginning of it, with all that was acknowledged before (Kingsbury and Alvaro, Elle, 2020).
 */

interface Called {
  /** `performance.now()` of this process, in which all services are. */
  readonly calledMs: number;
  readonly doneMs: number;
}
interface Write extends Called {
  readonly numbers: readonly number[];
}
interface Read extends Called {
  readonly total: number;
  /** Oldest first. */
  readonly newest: readonly number[];
}

export interface LabReads {
  readonly services: readonly RunningService[];
  readonly devices: number;
  readonly writers: number;
  readonly readers: number;
  /** Of each writer. */
  readonly writes: number;
  readonly random: () => number;
}

/** All records have one time, so that their order is that in which they arrived. */
const TIME = 1_770_000_000_000;
/** The most a page has, and more than one upload. */
const PAGE = 100;
const MOST_AT_ONCE = 60;
const LEAST_READS = 5;

/** Writes and reads at random services at once. Rejects where a read is not of its moment; resolves with what was done. */
export async function readWhileStoring(
  options: LabReads,
): Promise<{ readonly reads: number; readonly records: number }> {
  const { services, random } = options;
  const any = () => anyOf(services, random);
  const project = await dataOf(any(), 'POST', '/_local/v1/projects', { name: 'Hall' });
  const path = `/v2/projects/${project.id}/devices`;
  const every: Promise<{ reads: number; records: number }>[] = [];
  for (let n = 0; n < options.devices; n++) {
    const { id, metadata } = await dataOf(any(), 'POST', path, { name: `Device ${n}`, source: 'http' });
    const token = (metadata as { device_token: string }).device_token;
    every.push(oneDevice({ ...options, any, token, path: `${path}/${id}/data` }));
  }
  const done = await Promise.all(every);
  const sum = (of: 'reads' | 'records') => done.reduce((all, each) => all + each[of], 0);
  return { reads: sum('reads'), records: sum('records') };
}

async function oneDevice({
  any,
  token,
  path,
  writers,
  readers,
  writes: mostWrites,
  random,
}: LabReads & { readonly any: () => RunningService; readonly token: string; readonly path: string }) {
  const writes: Write[] = [];
  const reads: Read[] = [];
  let next = 0;
  const over = new AbortController();
  const write = async () => {
    const numbers = Array.from({ length: 1 + Math.floor(random() * MOST_AT_ONCE) }, () => next++);
    const body = numbers.map((n) => ({ timestamp: TIME, n }));
    const calledMs = performance.now();
    const { status, text } = await any().request('POST', '/integrations/http', { key: token, body });
    assert.equal(status, 200, text);
    writes.push({ numbers, calledMs, doneMs: performance.now() });
  };
  const page = async (number: number) => {
    const calledMs = performance.now();
    const answer = await any().request('GET', `${path}?page=${number}&limit=${PAGE}&range=all`);
    assert.equal(answer.status, 200, answer.text);
    const records = answer.envelope.data as unknown as { n: number }[];
    const newest = records.map(({ n }) => n).toReversed();
    const total = Number(answer.headers.get('x-total-count'));
    return { total, newest, calledMs, doneMs: performance.now() };
  };
  /** So often, and on until the writers are done. */
  const repeated = async (work: () => Promise<void>, least: number, most = least) => {
    for (let i = 0; i < least || (i < most && !over.signal.aborted); i++) await work();
  };
  const reading = Array.from({ length: readers }, () =>
    repeated(
      async () => {
        await delay(random() * 3);
        reads.push(await page(1));
      },
      LEAST_READS,
      Infinity,
    ),
  );
  const writing = Array.from({ length: writers }, () => repeated(write, mostWrites));
  try {
    await Promise.all(writing);
  } finally {
    over.abort();
  }
  await Promise.all(reading);

  const all: number[] = [];
  for (let number = 1; all.length < next; number++) {
    const { newest } = await page(number);
    assert.ok(newest.length > 0, `only ${all.length} of ${next} records are there`);
    all.unshift(...newest);
  }
  expectOneOrder(all, writes, reads);
  return { reads: reads.length, records: next };
}

/** Throws where what is stored, and what was read meanwhile, cannot have come about one after the other. */
function expectOneOrder(all: readonly number[], writes: readonly Write[], reads: readonly Read[]): void {
  const at = new Map(all.map((n, index) => [n, index]));
  assert.equal(at.size, all.length, 'a record is there twice');
  /** Of each place, when its record was asked for. */
  const calledMs = new Float64Array(all.length);
  const stored = writes.map(({ numbers, ...called }) => {
    const start = at.get(numbers[0] ?? -1) ?? -1;
    const end = start + numbers.length;
    assert.deepEqual(all.slice(start, end), numbers, 'an upload is not whole, or not in order');
    calledMs.fill(called.calledMs, start, end);
    return { ...called, start, records: end };
  });
  const seen = reads.map(({ total, ...called }) => ({ ...called, records: total }));
  /** How many records there were for sure at a time. */
  const least = (ms: number, known: readonly { readonly doneMs: number; readonly records: number }[]) =>
    known.reduce((most, { doneMs, records }) => (doneMs < ms ? Math.max(most, records) : most), 0);
  for (const { start, calledMs: called } of stored)
    assert.ok(start >= least(called, stored), 'a record lies before one that was there when it was sent');
  for (const { total, newest, calledMs: called, doneMs } of reads) {
    assert.deepEqual(newest, all.slice(Math.max(0, total - PAGE), total), 'a page is of no moment');
    assert.ok(total >= least(called, stored), 'a read misses what was acknowledged before it');
    assert.ok(total >= least(called, seen), 'a read misses what an earlier one had');
    assert.ok(
      calledMs.subarray(0, total).every((ms) => ms < doneMs),
      'a read has what nobody had sent yet',
    );
  }
}
