import { once } from 'node:events';
import { json as jsonOf } from 'node:stream/consumers';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { EncodedJson, type PagePlace } from '#core/api/call.ts';
import { StoreError } from '#core/base/errors.ts';
import { answer, ask, AUTHORIZED, expectRefusal, openTestDoors } from './fixture.ts';

const DATA = '/v2/projects/p/devices/d/data';
const bytesOf = (value: string) => new TextEncoder().encode(value);

describe('what a door writes out', () => {
  const page = '[{"timestamp":"2026-03-02T20:30:21.202946Z","a":1}]';
  async function* inPieces(text: string, failure?: Error): AsyncGenerator<Uint8Array> {
    for (const piece of text) yield bytesOf(piece);
    if (failure) throw failure;
  }
  async function dataOf(data: unknown, place?: PagePlace) {
    const open = await openTestDoors({}, { handle: ({ id }) => answer(id, data, place) });
    try {
      return await ask(open.port, 'GET', `${DATA}?page=1&limit=1&range=all`, { headers: AUTHORIZED });
    } finally {
      await open.close();
    }
  }

  test('a page that is JSON already goes out as it is, with the headers of its totals', async () => {
    const reply = await dataOf(new EncodedJson(bytesOf(page)), { page: 1, limit: 1, total: 3 });
    expect(reply.text).toBe(
      `{"success":true,"action":"retrieve data","status":200,"message":"Device data fetched successfully.","data":${page}}`,
    );
    expect(reply.headers).toMatchObject({
      'x-total-count': '3',
      link: expect.stringContaining('page=2&limit=1&range=all>; rel="next"'),
    });
    expect(reply.headers['content-length']).toBe(String(reply.text.length));
  });

  test('a page gives its memory back once it is out', async () => {
    const release = vi.fn();
    const json = Buffer.from(page);
    for (const room of [0, 10, 500]) {
      const memory = Buffer.concat([Buffer.alloc(room, '#'), json, Buffer.alloc(room, '#')]);
      const lent = { memory, from: room, to: room + json.length, release };
      const reply = await dataOf(new EncodedJson(memory.subarray(lent.from, lent.to), lent));
      expect((JSON.parse(reply.text) as { data: unknown }).data).toEqual(JSON.parse(page));
      expect(reply.text).not.toContain('#');
    }
    expect(release).toHaveBeenCalledTimes(3);
  });

  test('a page in pieces is the same body, streamed', async () => {
    const whole = await dataOf(new EncodedJson(bytesOf(page)));
    const streamed = await dataOf(new EncodedJson(inPieces(page)));
    expect(streamed.text).toBe(whole.text);
    expect(streamed.headers['transfer-encoding']).toBe('chunked');
  });

  test('a list of megabytes is written as its reader takes it, not all at once', async () => {
    let made = 0;
    const text = 'é'.repeat(50_000);
    const items = Array.from({ length: 400 }, (_, i) => ({ i, toJSON: () => (made++, { i, text }) }));
    const open = await openTestDoors({}, { handle: ({ id }) => answer(id, items) });
    try {
      const request = httpRequest({ port: open.port, path: '/v2/projects', headers: AUTHORIZED }).end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect(made).toBeGreaterThan(0);
      expect(made).toBeLessThan(items.length);
      const { data } = (await jsonOf(response)) as { data: unknown };
      expect(data).toEqual(items.map(({ i }) => ({ i, text })));
    } finally {
      await open.close();
    }
  });

  test('a short list has a length', async () => {
    const open = await openTestDoors({}, { handle: ({ id }) => answer(id, [{ a: 1 }, { b: 'é' }]) });
    const { text, headers } = await ask(open.port, 'GET', '/v2/projects', { headers: AUTHORIZED });
    await open.close();
    expect(text).toMatch(/,"data":\[\{"a":1\},\{"b":"é"\}\]\}$/);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  });

  test('a page that fails before its first piece is an envelope', async () => {
    const reply = await dataOf(
      new EncodedJson(inPieces('', new StoreError('damaged', 'A block is damaged.'))),
    );
    expectRefusal(reply, 500, /A block is damaged/);
  });

  test('a page that fails half-way cannot be taken for a whole one', async () => {
    await expect(dataOf(new EncodedJson(inPieces('[1,', new Error('disk'))))).rejects.toThrow(
      /aborted|socket/,
    );
  });

  test.each([
    ['a disk', new Error('disk'), 1],
    [
      'several, one of which is the disk',
      new AggregateError([new DOMException('x', 'AbortError'), new Error('disk')]),
      1,
    ],
    ['nobody who is left', new DOMException('gone', 'AbortError'), 0],
    ['a reader, and of its stream by that', new AggregateError([new DOMException('gone', 'AbortError')]), 0],
  ])('a failure of %s is in the log, a reader who left is not', async (_, failure, lines) => {
    const data = () => new EncodedJson(inPieces('[1,', failure));
    const open = await openTestDoors({}, { handle: ({ id }) => answer(id, data()) });
    await expect(ask(open.port, 'GET', DATA, { headers: AUTHORIZED })).rejects.toThrow(/aborted|socket/);
    await open.close();
    expect(open.logged.filter((line) => line.includes('broke off'))).toHaveLength(lines);
  });

  test('a download is the data itself, under a name that is safe in a header', async () => {
    const open = await openTestDoors(
      {},
      {
        handle: ({ id }) => ({
          ...answer(id, { records: 1 }),
          download: {
            type: 'text/csv; charset=utf-8',
            name: 'a"\r\nb (ü)',
            extension: 'csv',
            bytes: inPieces('t,a\n'),
          },
        }),
      },
    );
    const reply = await ask(open.port, 'GET', '/_local/v1/projects/p/devices/d/records', {
      headers: AUTHORIZED,
    });
    await open.close();
    expect(reply.text).toBe('t,a\n');
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename="a-b ___.csv"; filename*=UTF-8''a-b%20%28%C3%BC%29.csv`,
    );
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
  });

  test('a download that is given up breaks off, and that is no failure', async () => {
    const given = new AbortController();
    async function* endless() {
      for (;;) {
        yield bytesOf('x'.repeat(100_000));
        given.abort();
      }
    }
    const open = await openTestDoors(
      {},
      {
        handle: ({ id }) => ({
          ...answer(id, { records: 1 }),
          download: {
            type: 'text/csv',
            name: 'a',
            extension: 'csv',
            bytes: endless(),
            givenUp: given.signal,
          },
        }),
      },
    );
    const path = '/_local/v1/projects/p/devices/d/records';
    await expect(ask(open.port, 'GET', path, { headers: AUTHORIZED })).rejects.toThrow(/aborted|socket/);
    await open.close();
    expect(open.logged).toEqual([]);
  });

  test('an answer that cannot be written is a 500, and the service lives', async () => {
    const open = await openTestDoors(
      {},
      {
        handle: ({ id }) => ({
          ...answer(id, {}),
          download: { type: 'line\nbreak', name: 'a', extension: 'csv', bytes: inPieces('t') },
        }),
      },
    );
    const path = '/_local/v1/projects/p/devices/d/records';
    const broken = [dataOf(10n), ask(open.port, 'GET', path, { headers: AUTHORIZED })];
    for (const reply of await Promise.all(broken)) expectRefusal(reply, 500, /error [0-9a-f-]{36}/);
    await open.close();
  });

  test('a bug is a 500 whose id the log has, without its words', async () => {
    const open = await openTestDoors(
      {},
      {
        dispatch: async () => {
          throw new Error('secret path /x');
        },
      },
    );
    const reply = await ask(open.port, 'GET', '/v2/projects', { headers: AUTHORIZED });
    await open.close();
    expectRefusal(reply, 500, /error [0-9a-f-]{36}/);
    expect(reply.text).not.toContain('secret');
    const id = /error ([0-9a-f-]{36})/.exec(reply.text)?.[1] ?? 'none';
    expect(open.logged.join()).toContain(id);
  });
});
