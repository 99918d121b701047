import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createEventBus } from '#core/base/event-bus.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { Faults } from '#core/faults/faults.ts';
import { createHttpFaults } from '#core/http/faults/meet.ts';
import { AUTHORIZED, openTestDoors, PRINCIPAL } from './fixture.ts';

const HOUR_MS = 3_600_000;

test.each([{ drop: true }, { delay_ms: 600_000 }, { bytes_per_s: 1 }] as const)(
  'whom %j keeps waiting does not keep a stop waiting',
  async (does) => {
    const faults = new Faults({
      chance: systemRandom,
      events: createEventBus(),
      log: { warn() {} },
      default_account_id: PRINCIPAL.account_id,
      disk: null,
    });
    const { doors, port } = await openTestDoors(
      {},
      { faults: createHttpFaults({ faults, authenticate: () => PRINCIPAL, metadata: {} as never }) },
    );
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
