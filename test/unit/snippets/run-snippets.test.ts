import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthority } from '#core/tls/make-certificates.ts';
import { arduinoHttpSnippet } from '../../../renderer/components/facts/snippets/arduino-http-snippet.ts';
import { arduinoMqttSnippet } from '../../../renderer/components/facts/snippets/arduino-mqtt-snippet.ts';
import { curlSnippet } from '../../../renderer/components/facts/snippets/curl-snippet.ts';
import {
  httpForDevices,
  httpForPrograms,
  type HttpAddresses,
  type HttpDoor,
} from '../../../renderer/components/facts/snippets/http-door.ts';
import { mosquittoSnippet } from '../../../renderer/components/facts/snippets/mosquitto-snippet.ts';
import {
  doorForDevices,
  doorForPrograms,
  type MqttAddresses,
  type MqttDoor,
} from '../../../renderer/components/facts/snippets/mqtt-door.ts';
import { nodeHttpSnippet } from '../../../renderer/components/facts/snippets/node-http-snippet.ts';
import { nodeMqttSnippet } from '../../../renderer/components/facts/snippets/node-mqtt-snippet.ts';
import { pythonHttpSnippet } from '../../../renderer/components/facts/snippets/python-http-snippet.ts';
import { pythonMqttSnippet } from '../../../renderer/components/facts/snippets/python-mqtt-snippet.ts';
import type {
  DeviceLogin,
  HttpSnippet,
  MqttSnippet,
} from '../../../renderer/components/facts/snippets/reading.ts';
import type { Place } from './place.ts';
import { startPlace } from './service-place.ts';
import { lacking, runHttpSketch, runInShell, runMqttSketch, runNode, runPython } from './programs.ts';

/* Each snippet is run as it would be pasted, by the program that it is for. */

const MQTT = { source: 'mqtt', plain: { mqtts_url: null }, secure: { mqtt_url: null } } as const;
const HTTP = { source: 'http', plain: {}, secure: { http_url: null } } as const;

const mqtt =
  (write: MqttSnippet, doorOf: (of: MqttAddresses) => MqttDoor | null) =>
  (addresses: Place['addresses'], login: DeviceLogin) =>
    write(present(doorOf(addresses)), login);
const http =
  (write: HttpSnippet, doorOf: (of: HttpAddresses) => HttpDoor | null) =>
  (addresses: Place['addresses'], login: DeviceLogin) =>
    write(present(doorOf(addresses)), login);

function present<Door>(door: Door | null): Door {
  if (door === null) throw new Error('No door for this snippet');
  return door;
}

const SNIPPETS = [
  {
    name: 'mosquitto_pub',
    over: MQTT,
    write: mqtt(mosquittoSnippet, doorForPrograms),
    run: runInShell,
    lacks: lacking.shell,
  },
  {
    name: 'Python over MQTT',
    over: MQTT,
    write: mqtt(pythonMqttSnippet, doorForPrograms),
    run: runPython,
    lacks: lacking.python,
  },
  {
    name: 'Node over MQTT',
    over: MQTT,
    write: mqtt(nodeMqttSnippet, doorForPrograms),
    run: runNode,
    lacks: lacking.nothing,
  },
  {
    name: 'Arduino over MQTT',
    over: MQTT,
    write: mqtt(arduinoMqttSnippet, doorForDevices),
    run: runMqttSketch,
    lacks: lacking.sketch,
  },
  {
    name: 'curl',
    over: HTTP,
    // Told to fail by its exit code, as scripts do.
    write: (addresses: Place['addresses'], login: DeviceLogin) =>
      `${curlSnippet(present(httpForPrograms(addresses)), login)} -sS --fail`,
    run: runInShell,
    lacks: lacking.curl,
  },
  {
    name: 'Python over HTTP',
    over: HTTP,
    write: http(pythonHttpSnippet, httpForPrograms),
    run: runPython,
    lacks: lacking.anyPython,
  },
  {
    name: 'Node over HTTP',
    over: HTTP,
    write: http(nodeHttpSnippet, httpForPrograms),
    run: runNode,
    lacks: lacking.nothing,
  },
  {
    name: 'Arduino over HTTP',
    over: HTTP,
    write: http(arduinoHttpSnippet, httpForDevices),
    run: runHttpSketch,
    lacks: lacking.httpSketch,
  },
];
const DOORS = ['plain', 'secure'] as const;

describe.each(SNIPPETS)('the snippet for $name', ({ name, over, write, run, lacks: why }) => {
  if (why !== null) console.log(`the snippet for ${name}: skipped — ${why}`);
  let folder: string;
  let place: Place;
  beforeAll(async () => {
    if (why !== null) return;
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-snippet-'));
    place = await startPlace(join(folder, `o'hara's "rig" $HOME`), over.source);
  });
  afterAll(async () => {
    if (why !== null) return;
    await place.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The text for a place of which only some doors are known, or others are said. */
  const text = (addresses: Partial<Place['addresses']>, login = place.login) =>
    write({ ...place.addresses, ...addresses }, login);

  test.skipIf(why !== null).for(DOORS)('stores its reading by the door that is %s', async (door) => {
    await run(text(over[door]), folder);
    expect(await place.arrived()).toMatchObject({ temperature: 21.5 });
  });

  test.skipIf(why !== null)('fails with a token that is not the device’s', async () => {
    const stranger = { ...place.login, device_token: `it's "another" \\ ü` };
    await expect(run(text(over.plain, stranger), folder)).rejects.toHaveProperty('code');
  });

  test.skipIf(why !== null)('fails where another authority signed the certificate', async () => {
    const { cert } = createAuthority({ dns: ['localhost'], ips: [] }, Date.now());
    const other = join(folder, 'other authority');
    await mkdir(other, { recursive: true });
    const ca_file = join(other, 'ca.pem');
    await writeFile(ca_file, cert);
    const failing = run(text({ ...over.secure, ca_file, ca_certificate: cert }), folder);
    await expect(failing).rejects.toHaveProperty('code');
  });
});
