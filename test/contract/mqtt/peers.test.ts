import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonWithPaho } from '../../helpers/paho.ts';
import { mqttWorld, portOf, type Device, type MqttWorld } from './world.ts';

/* Programs that people have: Debian's mosquitto_pub and mosquitto_sub, and paho for Python. */

const run = promisify(execFile);
const isThere = (program: string) => spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined;
const hasMosquitto = ['mosquitto_pub', 'mosquitto_sub', 'stdbuf'].every(isThere);
/** For whoever reads why tests are left out. */
const without = (lacks: boolean, what: string) => (lacks ? ` (left out: ${what} is not installed)` : '');
const MS = 30_000;

let world: MqttWorld;
let login: (device: Device) => string[];
beforeAll(async () => {
  world = await mqttWorld({ mqttsPort: 0, tls: true });
  login = ({ id, token }) => ['-u', id, '-P', token, '-t', id];
});
afterAll(() => world.stop());

const plain = () => ['-h', '127.0.0.1', '-p', String(world.port)];
const secure = () => [
  '-h',
  '127.0.0.1',
  '-p',
  String(portOf(world.service.mqtts_url)),
  '--cafile',
  world.service.ca_file ?? '',
];

const publish = (device: Device, args: readonly string[]) =>
  run('mosquitto_pub', [...plain(), ...login(device), ...args], { timeout: MS });

/** Lines that it says, so many of them; `ready` is when it has subscribed. */
function subscribe(device: Device, args: readonly string[], where = plain()) {
  // Line by line: what it says into a pipe it keeps until there is more of it.
  const child = spawn('stdbuf', ['-oL', 'mosquitto_sub', ...where, ...login(device), ...args, '-d'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith('Subscribed ')) ready.resolve();
    else if (!line.startsWith('Client ')) lines.push(line);
  });
  // With the last of its lines, which may come after its end.
  const exited = once(child, 'close');
  return {
    lines,
    ready: ready.promise,
    exited,
    async end(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      await exited;
    },
  };
}

describe.skipIf(!hasMosquitto)(
  `mosquitto_pub and mosquitto_sub${without(!hasMosquitto, 'mosquitto-clients')}`,
  () => {
    describe.each(['mqttv311', 'mqttv5'])('%s', (version) => {
      test.each(['0', '1', '2'])('store and hear with QoS %s', async (qos) => {
        const device = await world.makeDevice();
        const heard = subscribe(device, ['-V', version, '-q', qos, '-C', '2', '-W', '20']);
        await heard.ready;
        await publish(device, ['-V', version, '-q', qos, '-m', '{"n":1}']);
        await publish(device, ['-V', version, '-q', qos, '-m', '{"n":2}']);
        await heard.exited;
        expect(heard.lines).toEqual(['{"n":1}', '{"n":2}']);
        expect(await world.recordsOf(device)).toMatchObject([{ n: 2 }, { n: 1 }]);
      });

      test.each(['0', '1', '2'])('store every line of a file with QoS %s', async (qos) => {
        const device = await world.makeDevice();
        const args = [...plain(), ...login(device), '-V', version, '-q', qos, '-l'];
        const child = spawn('mosquitto_pub', args, { stdio: ['pipe', 'ignore', 'inherit'] });
        child.stdin.end(Array.from({ length: 500 }, (_, n) => `{"n":${n}}\n`).join(''));
        expect(await once(child, 'exit')).toEqual([0, null]);
        const stored = async () => (await world.recordsOf(device)).length;
        await expect.poll(stored, { timeout: MS }).toBe(500);
      });

      test('store over TLS, whose authority is the service’s own', async () => {
        const device = await world.makeDevice();
        const args = [...secure(), ...login(device), '-V', version, '-q', '1', '-m', '{"n":1}'];
        await run('mosquitto_pub', args, { timeout: MS });
        expect(await world.recordsOf(device)).toMatchObject([{ n: 1 }]);
      });

      test('hear a retained message, and not once it was taken away', async () => {
        const device = await world.makeDevice();
        await publish(device, ['-V', version, '-q', '1', '-r', '-m', '{"n":1}']);
        const first = subscribe(device, ['-V', version, '-q', '1', '-C', '1', '-W', '20']);
        await first.exited;
        expect(first.lines).toEqual(['{"n":1}']);
        await publish(device, ['-V', version, '-q', '1', '-r', '-n']);
        const second = subscribe(device, ['-V', version, '-q', '1', '-C', '1', '-W', '20']);
        await second.ready;
        await publish(device, ['-V', version, '-q', '1', '-m', '{"n":2}']);
        await second.exited;
        expect(second.lines).toEqual(['{"n":2}']);
      });

      test('store the will of one that is killed, and none of one that leaves', async () => {
        const device = await world.makeDevice();
        const will = (n: number) => {
          const payload = ['--will-payload', `{"n":${n}}`, '--will-qos', '1'];
          return ['-V', version, '--will-topic', device.id, ...payload];
        };
        // It leaves when it has subscribed.
        await subscribe(device, [...will(1), '-E']).exited;
        const dying = subscribe(device, will(2));
        await dying.ready;
        await dying.end('SIGKILL');
        await expect.poll(() => world.recordsOf(device)).toMatchObject([{ n: 2 }]);
      });

      test('find in their session again what came while they were away', async () => {
        const device = await world.makeDevice();
        const session = ['-V', version, '-q', '2', '-i', 'kept', '-c'];
        const lasting = version === 'mqttv5' ? [...session, '-x', '600'] : session;
        const first = subscribe(device, lasting);
        await first.ready;
        await first.end('SIGKILL');
        for (const n of [1, 2, 3]) await publish(device, ['-q', '2', '-m', `{"n":${n}}`]);
        const second = subscribe(device, [...lasting, '-C', '3', '-W', '20']);
        await second.exited;
        expect(second.lines).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
      });
    });

    test('are told who may not sign in', async () => {
      const device = await world.makeDevice();
      const wrong = publish({ ...device, token: 'wrong' }, ['-q', '1', '-m', '{"n":1}']);
      await expect(wrong).rejects.toMatchObject({
        stderr: expect.stringMatching(/not authori[sz]ed|user name/i),
      });
    });
  },
);

/** Publishes 20 records, is cut off in the middle by whoever runs it, and ends when all are acknowledged. */
const PAHO = `
import sys, threading, time, paho.mqtt.client as mqtt
port, device, token, qos, version = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
if version == 5:
    from paho.mqtt.properties import Properties
    from paho.mqtt.packettypes import PacketTypes
    lasting = Properties(PacketTypes.CONNECT)
    lasting.SessionExpiryInterval = 600
    client = mqtt.Client("paho", protocol=mqtt.MQTTv5)
    options = dict(clean_start=False, properties=lasting)
else:
    client = mqtt.Client("paho", clean_session=False)
    options = {}
client.username_pw_set(device, token)
client.reconnect_delay_set(0.05, 0.05)
heard, acknowledged = [], set()
client.on_publish = lambda client, userdata, mid: acknowledged.add(mid)
client.on_message = lambda client, userdata, message: heard.append(message.payload.decode())
ready = threading.Event()
client.on_subscribe = lambda *about: ready.set()
client.on_connect = lambda client, userdata, flags, rc, *more: client.subscribe(device, qos)
client.connect("127.0.0.1", port, **options)
client.loop_start()
ready.wait(20)
for n in range(20):
    if n == 10:
        client._sock.shutdown(2)
    # wait_for_publish gives up where there is no connection at the moment; the client itself does not.
    mid = client.publish(device, '{"n":%d}' % n, qos).mid
    while mid not in acknowledged:
        time.sleep(0.005)
for _ in range(200):
    if len(set(heard)) == 20: break
    time.sleep(0.05)
client.disconnect()
client.loop_stop()
print(len(set(heard)))
`;

describe.skipIf(pythonWithPaho === null)(
  `paho for Python${without(pythonWithPaho === null, 'python3-paho-mqtt')}`,
  () => {
    test.each([
      [4, 1],
      [4, 2],
      [5, 1],
      [5, 2],
    ])('protocol %i, QoS %i: stores and hears all, though it is cut off', async (version, qos) => {
      const device = await world.makeDevice();
      const args = [PAHO, world.port, device.id, device.token, qos, version].map(String);
      const { stdout } = await run(pythonWithPaho ?? '', ['-c', ...args], { timeout: 2 * MS });
      expect(stdout.trim()).toBe('20');
      const numbers = (await world.recordsOf(device)).map(({ n }) => n);
      expect(new Set(numbers).size).toBe(20);
      if (qos === 2) expect(numbers).toHaveLength(20);
    });
  },
);
