import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { answer, AUTHORIZED, openTestDoors } from './fixture.ts';

/* Requests behind one another on a connection, whose sender waits for no answer (RFC 9112, 9.3.2). */

const MANY = 200;

const ask = (n: number, ending = '') =>
  `GET /v2/projects/${n} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZED.authorization}\r\n${ending}\r\n`;

test('of many behind one another none is worked on before the one before it was answered', async () => {
  const first = Promise.withResolvers<void>();
  const { calls, port, close } = await openTestDoors(
    {},
    {
      async handle({ id, input }) {
        await first.promise;
        return answer(id, input);
      },
    },
  );
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  for (let n = 0; n < MANY; n++) socket.write(ask(n, n === MANY - 1 ? 'Connection: close\r\n' : ''));
  await expect.poll(() => calls.length).toBe(1);
  // Another connection is answered meanwhile.
  await fetch(`http://127.0.0.1:${port}/static/devices/default.svg`);
  expect(calls).toHaveLength(1);
  first.resolve();
  const answers = [...(await text(socket)).matchAll(/"project_id":"(\d+)"/g)].map(([, id]) => Number(id));
  expect(answers).toEqual(Array.from({ length: MANY }, (_, n) => n));
  await close();
});

test('who leaves before the answers keeps nobody busy', async () => {
  const { calls, port, close } = await openTestDoors({}, { handle: () => new Promise(() => {}) });
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  for (let n = 0; n < MANY; n++) socket.write(ask(n));
  await expect.poll(() => calls.length).toBe(1);
  socket.destroy();
  await close();
  expect(calls).toHaveLength(1);
});
