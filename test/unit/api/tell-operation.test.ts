import { expect, test } from 'vitest';
import { StoreError } from '#core/base/errors.ts';
import type { Context } from '#core/api/context.ts';
import { tellOperation } from '#core/api/trail/tell-operation.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { readEntry } from '#core/store/trail/read-line.ts';
import type { OperationId } from '#shared/operations/index.ts';
import { createMemoryMetadata } from '../../helpers/store/memory-metadata.ts';

/* What becomes of an operation whose entry cannot be written. */

const FULL = new StoreError('disk-full', 'The disk is full: nothing was changed.');

/** Metadata of which the changes of these numbers, from 0 on, fail. */
function failing(metadata: Metadata, numbers: readonly number[]): Metadata {
  let count = 0;
  return {
    ...metadata,
    change: (work, origin) =>
      numbers.includes(count++) ? Promise.reject(FULL) : metadata.change(work, origin),
  };
}

async function told(
  id: OperationId,
  fails: readonly number[],
  run: () => unknown = () => ({ data: { deleted: 3 } }),
) {
  const metadata = createMemoryMetadata();
  const logged: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: (line: string) => void logged.push(line) };
  const principal = {
    account_id: 'a',
    permissions: new Set<never>(),
    project_ids: null,
    key_id: 'k',
    by: { kind: 'key', id: 'k', name: 'rig' },
  } as const;
  const call = { input: { password: 'x' }, principal, device: { id: 'd', name: 'Pump' } };
  const context = { metadata: failing(metadata, fails) } as unknown as Context;
  const outcome = await Promise.allSettled([tellOperation(id, call, context, async () => run(), log)]);
  const entries = [];
  for await (const { text } of metadata.trail.lines()) entries.push(readEntry(text));
  return { outcome: outcome[0], entries, logged };
}

test('what cannot be told as begun is not done', async () => {
  let isDone = false;
  const { outcome, entries } = await told('secrets.rotate', [0], () => (isDone = true));
  expect(outcome).toEqual({ status: 'rejected', reason: FULL });
  expect([isDone, entries]).toEqual([false, []]);
});

test('a purge makes room where there is none, and is told once it has', async () => {
  const { outcome, entries } = await told('data.purge', [0]);
  expect(outcome.status).toBe('fulfilled');
  expect(entries).toMatchObject([
    {
      operation: 'data.purge',
      outcome: 'done',
      devices: [{ id: 'd', name: 'Pump' }],
      facts: { password: '(redacted)', answer: { deleted: 3 } },
    },
  ]);
});

test('what was done is not said to have failed because its end could not be told', async () => {
  const { outcome, entries, logged } = await told('secrets.rotate', [1]);
  expect(outcome.status).toBe('fulfilled');
  expect(entries).toMatchObject([{ outcome: 'begun' }]);
  expect(logged).toEqual(['The audit trail lacks that secrets.rotate is done']);
});

test('what failed is told so, with why, and fails as it did', async () => {
  const failure = new Error('the keychain has gone');
  const { outcome, entries } = await told('secrets.rotate', [], () => {
    throw failure;
  });
  expect(outcome).toEqual({ status: 'rejected', reason: failure });
  expect(entries).toMatchObject([
    { n: 1, outcome: 'begun' },
    { n: 2, outcome: 'failed', of: 1, message: 'the keychain has gone' },
  ]);
});

test('what asks for nothing that is kept is not told', async () => {
  expect((await told('storage.check', [])).entries).toEqual([]);
});
