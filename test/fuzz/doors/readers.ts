import { deepStrictEqual, ok } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Refusal } from '#core/base/errors.ts';
import { inspectFile } from '#core/import/inspect.ts';
import { readPayload, SMALL_PAYLOAD, type Payload } from '#core/ingest/upload.ts';
import { PRESENT } from '../../helpers/clock.ts';
import { importFile, type ImportCall } from '../../helpers/files/imports.ts';
import { readerOf } from './door.ts';
import { bytesOf, file, type FuzzedFile } from './files.ts';
import { expectQuick } from './turns.ts';

/* The same files where they are read, without a service around it: many more of them in the same time. */

/** The longest turn of this thread while something is done, in ms that it had a processor. */
async function timed(work: () => Promise<void>): Promise<number> {
  const over = new AbortController();
  const watch = async () => {
    let longestMs = 0;
    while (!over.signal.aborted) {
      const before = process.threadCpuUsage();
      await setImmediate();
      const { user, system } = process.threadCpuUsage(before);
      longestMs = Math.max(longestMs, (user + system) / 1000);
    }
    return longestMs;
  };
  const watching = watch();
  try {
    await work();
  } finally {
    over.abort();
  }
  return watching;
}

/** What it comes to, or the words with which it is refused. */
async function outcome<T>(work: () => T | Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ok(error.status === 400 && error.message !== '', error.message);
    return error.message;
  }
}

async function read(one: FuzzedFile): Promise<void> {
  const bytes = bytesOf(one);
  await outcome(() =>
    inspectFile({
      now: PRESENT,
      ...one.settings,
      head: bytes.subarray(0, 262_144),
      complete: bytes.length <= 262_144,
    }),
  );
  // What is small is read in the service's own thread, where it must keep nobody waiting; files are read in threads.
  await expectQuick(() => timed(() => readAsSent(one, bytes.subarray(0, SMALL_PAYLOAD))));
  const call: ImportCall = { settings: one.settings, type: one.type };
  const whole = await outcome(() => importFile(bytes, call));
  const pieces = await outcome(() => importFile(bytes, { ...call, chunk: one.chunk }));
  // Of several faults, the first one is named that is met.
  if (typeof whole === 'string' || typeof pieces === 'string')
    return deepStrictEqual([typeof pieces, whole], [typeof whole, whole]);
  deepStrictEqual([whole.result.stored, pieces.result], [whole.records.length, whole.result]);
  deepStrictEqual(pieces.records, whole.records, 'a file that comes in pieces has other records');
}

/** The same bytes as a device's: in pieces as at once, and JSON where JSON.parse says so. */
async function readAsSent({ type, chunk }: FuzzedFile, bytes: Buffer): Promise<void> {
  async function* inPieces(size: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield Uint8Array.from(bytes.subarray(at, at + size));
  }
  const sent = (size: number) =>
    outcome(() =>
      readPayload({ contentType: type, bytes: inPieces(size), now: () => 1_700_000_000_000_000 }, null),
    );
  const whole = await sent(Math.max(1, bytes.length));
  const pieces = await sent(chunk);
  if (typeof whole === 'string' || typeof pieces === 'string')
    return deepStrictEqual([typeof pieces, whole], [typeof whole, whole]);
  deepStrictEqual(recordsIn(pieces), recordsIn(whole), 'a body that comes in pieces has other records');
  if (type.includes('ndjson')) return;
  const value: unknown = JSON.parse(bytes.toString().replace(/^\ufeff/, ''));
  deepStrictEqual(whole.count, Array.isArray(value) ? value.length : 1);
}

const recordsIn = (payload: Payload) => ('records' in payload ? payload.records : []);

export const readers = readerOf('readers', file, read);
