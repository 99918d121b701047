import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Envelope } from '#shared/schema/envelope.ts';
import { answerTo } from '#core/api/answer-to.ts';
import type { IngestRequest } from '#core/http/ingest.ts';
import { answer, ASKER, openTestDoors, speak, wholeOf, type TestDoors } from './fixture.ts';

/* Bodies of devices that are there when they are asked for, and bodies that are still to come: the same answers. */

const log = { info() {}, warn() {}, error() {} };

let open: TestDoors | null = null;
afterEach(() => open?.close());

/** Doors that read each body when its sender is known, and say what they got; `came` hears in which way. */
async function openReading(before?: (request: IngestRequest) => unknown) {
  const came: ('whole' | 'in pieces')[] = [];
  open = await openTestDoors(
    {},
    {
      async ingest(request) {
        try {
          // As the look at the token does.
          await before?.(request);
          const body = request.body(ASKER);
          came.push(body instanceof Uint8Array ? 'whole' : 'in pieces');
          return answer('records.import', { text: Buffer.from(await wholeOf(body)).toString() });
        } catch (error) {
          return answerTo('store data', error, log);
        }
      },
    },
  );
  return { came, port: open.port };
}

const headOf = (...lines: string[]) =>
  ['POST /integrations/http HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n');
const post = (body: string, ...lines: string[]) =>
  headOf(`Content-Length: ${Buffer.byteLength(body)}`, ...lines) + body;

/**
 * Sends texts over one connection, each once the one before is answered; a list of texts is one request in pieces, each sent once
 * the one before was read. `arrived` is called when all of a request was.
 */
async function talk(
  port: number,
  requests: readonly (string | readonly string[])[],
  arrived = () => {},
): Promise<Envelope[]> {
  // What was sent before over another connection is read before this is answered.
  const untilRead = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).arrayBuffer();
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  const answers: Envelope[] = [];
  for (const request of requests) {
    const { promise, resolve, reject } = Promise.withResolvers<Envelope>();
    let text = '';
    const hear = (bytes: Buffer) => {
      text += bytes.toString();
      const body = text.replace('HTTP/1.1 100 Continue\r\n\r\n', '').split('\r\n\r\n')[1];
      if (body?.endsWith('}')) resolve(JSON.parse(body) as Envelope);
    };
    socket.on('data', hear).once('error', reject);
    const [first = '', ...others] = [request].flat();
    socket.write(first);
    for (const piece of others) {
      await untilRead();
      socket.write(piece);
    }
    await untilRead();
    arrived();
    answers.push(await promise);
    socket.off('data', hear).off('error', reject);
  }
  socket.destroy();
  return answers;
}

const texts = (answers: readonly Envelope[]) => answers.map(({ data }) => (data as { text?: string }).text);

test('a body that comes with its head is there whole, one request after the other', async () => {
  const { came, port } = await openReading();
  const long = 'x'.repeat(8000);
  expect(texts(await talk(port, [post('{"a":1}'), post(''), post(long), post('é')]))).toEqual([
    '{"a":1}',
    '',
    long,
    'é',
  ]);
  expect(came).toEqual(['whole', 'whole', 'whole', 'whole']);
});

test('a body of which something is to come is read in pieces, and so is one in chunks', async () => {
  const { came, port } = await openReading();
  const chunked = `${headOf('Transfer-Encoding: chunked')}2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`;
  const whole = post('abc');
  const requests = [[headOf('Content-Length: 3'), 'ab', 'c'], [whole.slice(0, -1), 'c'], chunked, whole];
  expect(texts(await talk(port, requests))).toEqual(['abc', 'abc', 'abc', 'abc']);
  expect(came).toEqual(['in pieces', 'in pieces', 'in pieces', 'whole']);
});

test('a body that arrived while its token was looked up is there whole', async () => {
  let found = Promise.withResolvers<void>();
  const { came, port } = await openReading(() => found.promise);
  const requests = [[headOf('Content-Length: 3'), 'ab', 'c'], post('d')];
  const arrived = () => {
    found.resolve();
    found = Promise.withResolvers();
  };
  expect(texts(await talk(port, requests, arrived))).toEqual(['abc', 'd']);
  expect(came).toEqual(['whole', 'whole']);
});

test('two requests in one packet are two bodies', async () => {
  const { came, port } = await openReading();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  socket.write(post('first') + post('second', 'Connection: close'));
  await new Promise((done) => socket.once('close', done));
  expect([...text.matchAll(/"text":"(\w+)"/g)].map(([, word]) => word)).toEqual(['first', 'second']);
  expect(came).toEqual(['whole', 'whole']);
});

test('a sender that wants the connection closed gets that behind a refusal, whether its body was read or not', async () => {
  const refuse = () => Promise.reject(new Error('no such token'));
  for (const before of [undefined, refuse]) {
    const { port } = await openReading(before);
    const encoded = post('abc', 'Content-Encoding: gzip', 'Connection: close');
    const [head = ''] = (await speak(port, encoded)).split('\r\n\r\n');
    expect(head).toMatch(/^connection: close$/im);
    await open?.close();
  }
});

test('whoever waits to be asked for a body is asked, even where it came nevertheless', async () => {
  const { came, port } = await openReading();
  const asked = post('abc', 'Expect: 100-continue');
  expect(texts(await talk(port, [asked, post('d')]))).toEqual(['abc', 'd']);
  expect(came).toEqual(['in pieces', 'whole']);
});

test('an encoded body is refused in the same words, whichever way it comes', async () => {
  const { port } = await openReading();
  const encoded = post('abc', 'Content-Encoding: gzip');
  const [whole, inPieces, next] = await talk(port, [encoded, [encoded.slice(0, -1), 'c'], post('d')]);
  expect(whole).toMatchObject({
    status: 400,
    message: 'The body must come without Content-Encoding, got "gzip".',
  });
  expect(inPieces).toEqual(whole);
  expect(next?.data).toEqual({ text: 'd' });
});

test('a body that nobody asks for is dropped, and the next request is answered', async () => {
  const { came, port } = await openReading(() => Promise.reject(new Error('no such token')));
  const answers = await talk(port, [post('abc'), post('d')]);
  expect(answers.map(({ status }) => status)).toEqual([500, 500]);
  expect(came).toEqual([]);
});
