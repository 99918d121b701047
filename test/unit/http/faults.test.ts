import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createEventBus } from '#core/base/event-bus.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { Faults } from '#core/faults/faults.ts';
import { createHttpFaults } from '#core/http/faults/meet.ts';
import { answer, ask, AUTHORIZED, openTestDoors, PRINCIPAL } from './fixture.ts';

const HOUR_MS = 3_600_000;

const newFaults = () =>
  new Faults({
    chance: systemRandom,
    events: createEventBus(),
    log: { warn() {} },
    default_account_id: PRINCIPAL.account_id,
    disk: null,
  });
const overHttp = (faults: Faults) =>
  createHttpFaults({ faults, authenticate: () => PRINCIPAL, metadata: {} as never });

test('a request that no fault matches is dispatched at once, as it is without any', async () => {
  const faults = newFaults();
  const found = overHttp(faults);
  const order: string[] = [];
  const { port, close } = await openTestDoors(
    {},
    {
      faults: {
        ...found,
        mayMeet(request, door, trace) {
          queueMicrotask(() => void order.push('a turn later'));
          return found.mayMeet(request, door, trace);
        },
      },
      async dispatch(call) {
        order.push('dispatched');
        await call.authenticate();
        return answer(call.id, null);
      },
    },
  );
  faults.set(PRINCIPAL.account_id, null, [
    { match: { path: '/v2/projects/none' }, do: { status: 503 } },
    { match: { operation: 'devices.list' }, do: { status: 503 } },
    { match: { door: 'mqtt' }, do: { drop: true } },
    { match: {}, do: { mqtt: 'duplicate' } },
  ]);
  expect((await ask(port, 'GET', '/v2/projects', { headers: AUTHORIZED })).status).toBe(200);
  expect(order).toEqual(['dispatched', 'a turn later']);
  faults.set(PRINCIPAL.account_id, null, [{ match: { path: '/v2/projects' }, do: { status: 503 } }]);
  expect((await ask(port, 'GET', '/v2/projects', { headers: AUTHORIZED })).status).toBe(503);
  await close();
});

test('no fault keeps anybody from switching them off', async () => {
  const faults = newFaults();
  const { port, close } = await openTestDoors({}, { faults: overHttp(faults) });
  faults.set(PRINCIPAL.account_id, null, [{ match: {}, do: { status: 503 } }]);
  const off = () => ask(port, 'DELETE', '/_local/v1/faults?now', { headers: AUTHORIZED });
  expect((await off()).status).not.toBe(503);
  expect((await ask(port, 'GET', '/v2/projects', { headers: AUTHORIZED })).status).toBe(503);
  await close();
});

test.each([{ drop: true }, { delay_ms: 600_000 }, { bytes_per_s: 1 }] as const)(
  'whom %j keeps waiting does not keep a stop waiting',
  async (does) => {
    const faults = newFaults();
    const { doors, port } = await openTestDoors({}, { faults: overHttp(faults) });
    faults.set(PRINCIPAL.account_id, null, [{ match: {}, do: does }]);
    const socket = connect(port, '127.0.0.1');
    const closed = once(socket, 'close');
    socket.resume();
    socket.write(
      `GET /v2/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZED.authorization}\r\n\r\n`,
    );
    await expect.poll(() => faults.of(PRINCIPAL.account_id).rules[0]?.done).toBe(1);
    faults.close();
    await doors.close(HOUR_MS);
    await closed;
  },
);
