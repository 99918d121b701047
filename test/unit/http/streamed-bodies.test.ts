import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { badRequest } from '#core/base/errors.ts';
import { answerTo } from '#core/api/answer-to.ts';
import { operationOf } from '#shared/operations/index.ts';
import { answer, ask, AUTHORIZED, expectRefusal, openTestDoors } from './fixture.ts';

describe('bodies that are data', () => {
  const RECORDS = '/_local/v1/projects/p/devices/d/records';

  test('arrive piece by piece, with their size and type', async () => {
    let size = 0;
    const open = await openTestDoors(
      {},
      {
        async handle({ id, body }) {
          for await (const piece of body?.bytes ?? []) size += piece.length;
          return answer(id, { size: body?.size, type: body?.type });
        },
      },
    );
    const headers = { ...AUTHORIZED, 'content-type': 'Text/CSV; charset=utf-8' };
    const reply = await ask(open.port, 'POST', `${RECORDS}?format=csv`, {
      headers,
      body: new Uint8Array(5_000_000),
    });
    await open.close();
    expect(reply.envelope.data).toEqual({ size: 5_000_000, type: 'text/csv' });
    expect(size).toBe(5_000_000);
    expect(open.calls[0]?.input).toEqual({ project_id: 'p', device_id: 'd', format: 'csv' });
  });

  test('may be refused unread or half-way, and the sender gets to the answer', async () => {
    const open = await openTestDoors(
      {},
      {
        async handle({ id, body, input }) {
          if ((input as { format?: string }).format === 'csv') for await (const _ of body?.bytes ?? []) break;
          return answerTo(operationOf(id).action, badRequest('Line 1 is bad.'), {
            info() {},
            warn() {},
            error() {},
          });
        },
      },
    );
    for (const format of ['csv', 'ndjson']) {
      const sent = { headers: AUTHORIZED, body: new Uint8Array(8_000_000) };
      expectRefusal(await ask(open.port, 'POST', `${RECORDS}?format=${format}`, sent), 400, /Line 1 is bad/);
    }
    await open.close();
  });

  test('whose sender leaves end as a refusal for their reader, and fire the signal', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<{ message: string; aborted: boolean }>();
    const begun = Promise.withResolvers<void>();
    const open = await openTestDoors(
      {},
      {
        async handle({ id, body, signal }) {
          try {
            for await (const _ of body?.bytes ?? []) begun.resolve();
          } catch (error) {
            await expect.poll(() => signal?.aborted).toBe(true);
            resolve({ message: (error as Error).message, aborted: signal?.aborted ?? false });
          }
          return answer(id, null);
        },
      },
    );
    const request = httpRequest({
      host: '127.0.0.1',
      port: open.port,
      method: 'POST',
      path: RECORDS,
      headers: { ...AUTHORIZED, 'content-length': '100' },
    });
    request.on('error', () => {});
    request.write('half');
    await begun.promise;
    request.destroy();
    expect(await ended).toEqual({
      message: 'The connection closed before the body was whole.',
      aborted: true,
    });
    await open.close();
  });
});
