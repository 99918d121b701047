import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JSON_LIMIT, readBytes, streamedBody } from '#core/http/body.ts';

/* Slow senders, with the clock of the timers held. */

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function sender() {
  const stream = new PassThrough();
  const request = Object.assign(stream, { headers: {} }) as unknown as IncomingMessage;
  return { stream, request };
}

test('a body that drips in is refused once a whole one should have arrived', async () => {
  const { stream, request } = sender();
  const outcome = expect(readBytes(request, JSON_LIMIT)).rejects.toMatchObject({
    status: 400,
    message: 'The body did not arrive in time.',
  });
  for (let second = 0; second < 60; second++) {
    stream.write(' ');
    await vi.advanceTimersByTimeAsync(1000);
  }
  await outcome;
});

test('a streamed body may take as long as it likes while something arrives', async () => {
  const { stream, request } = sender();
  const pieces: string[] = [];
  const reading = (async () => {
    for await (const piece of streamedBody(request).bytes) pieces.push(Buffer.from(piece).toString());
  })();
  for (let minute = 0; minute < 5; minute++) {
    stream.write(`${minute}`);
    await vi.advanceTimersByTimeAsync(59_000);
  }
  expect(pieces).toEqual(['0', '1', '2', '3', '4']);
  const outcome = expect(reading).rejects.toThrow('The body did not arrive in time.');
  await vi.advanceTimersByTimeAsync(2000);
  await outcome;
});
