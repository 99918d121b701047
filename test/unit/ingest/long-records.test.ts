import { expect, test } from 'vitest';
import { openPayload, type PayloadForm } from '#core/ingest/payload.ts';

/* Long records arrive in hundreds of pieces: each byte costs the same wherever the pieces end. */

const TEXTS = 64;
const LENGTH = 60_000;
const PIECE = 16 * 1024;
const RECORDS = 3;

const record = JSON.stringify(
  Object.fromEntries(Array.from({ length: TEXTS }, (_, n) => [`text ${n}`, 'x'.repeat(LENGTH)])),
);
const texts: [PayloadForm, Buffer][] = [
  ['json', Buffer.from(`[${Array<string>(RECORDS).fill(record).join(',')}]`)],
  ['lines', Buffer.from(`${record}\n`.repeat(RECORDS))],
];

/** µs of the processor that it takes in pieces of so many bytes, at best. */
function costOf(form: PayloadForm, text: Buffer, piece: number): number {
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    const reader = openPayload(form, 0);
    let count = 0;
    for (let from = 0; from < text.length; from += piece) {
      reader.push(text.subarray(from, from + piece));
      for (const batch of reader.take()) count += 'columns' in batch ? batch.size : batch.length;
    }
    reader.end();
    for (const batch of reader.take()) count += 'columns' in batch ? batch.size : batch.length;
    expect(count).toBe(RECORDS);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...costs);
}

test.each(texts)('%s in pieces costs about what it costs at once', (form, text) => {
  costOf(form, text, text.length);
  expect(costOf(form, text, PIECE)).toBeLessThan(8 * costOf(form, text, text.length));
});
