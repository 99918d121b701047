import { deepStrictEqual, ok } from 'node:assert/strict';
import { expectAnswer, shown, storedBy } from './answers.ts';
import { doorOf } from './door.ts';
import { bytesOf, file, type FuzzedFile } from './files.ts';
import type { Stage } from './stage.ts';
import { repliesIn, speak, type Reply } from './mqtt/wire.ts';

/* Files to look at and to import, through the service and its threads. */

function requestOf(stage: Stage, path: string, type: string, body: Uint8Array): Buffer {
  const lines = [
    `POST /_local/v1/${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${stage.key}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

async function answerTo(stage: Stage, path: string, type: string, body: Uint8Array): Promise<Reply> {
  const [reply, ...more] = repliesIn(await speak(stage.port, [requestOf(stage, path, type, body)], 'waits'));
  if (!reply) throw new Error(`There is no answer to ${path} ${shown(body)}.`);
  deepStrictEqual(more, []);
  expectAnswer(reply, `${path} ${shown(body)}`);
  return reply;
}

async function send(stage: Stage, one: FuzzedFile): Promise<void> {
  const bytes = bytesOf(one);
  const query = new URLSearchParams(
    Object.entries(one.settings).map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
  const head = {
    ...one.settings,
    bytes: bytes.subarray(0, 190_000).toString('base64'),
    complete: bytes.length <= 190_000,
  };
  const looked = await answerTo(
    stage,
    'records/inspect',
    'application/json',
    Buffer.from(JSON.stringify(head)),
  );
  ok([200, 400].includes(looked.status), `${looked.status} ${looked.body}`);
  const answer = await answerTo(stage, `${stage.devicePath}/records?${query.toString()}`, one.type, bytes);
  stage.acknowledged(storedBy(answer));
}

export const imports = doorOf(
  'imports',
  file,
  async (stage, inputs) => {
    await Promise.all(inputs.map((one) => send(stage, one)));
  },
  { most: 6 },
);
