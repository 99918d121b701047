import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthority } from '#core/tls/certificates.ts';
import { arduinoSnippet } from '../../../renderer/components/facts/snippets/arduino-snippet.ts';
import { mosquittoSnippet } from '../../../renderer/components/facts/snippets/mosquitto-snippet.ts';
import { doorForDevices, doorForPrograms } from '../../../renderer/components/facts/snippets/mqtt-door.ts';
import { pythonSnippet } from '../../../renderer/components/facts/snippets/python-snippet.ts';
import type { MqttPlace } from './mqtt-place.ts';
import { startPlace } from './service-place.ts';
import { lacking, runInShell, runPython, runSketch } from './programs.ts';

/* Each snippet is run as it would be pasted, by the program that it is for. */

const SNIPPETS = [
  {
    name: 'mosquitto_pub',
    write: mosquittoSnippet,
    doorOf: doorForPrograms,
    run: runInShell,
    lacks: lacking.shell,
  },
  {
    name: 'Python',
    write: pythonSnippet,
    doorOf: doorForPrograms,
    run: runPython,
    lacks: lacking.python,
  },
  {
    name: 'Arduino',
    write: arduinoSnippet,
    doorOf: doorForDevices,
    run: runSketch,
    lacks: lacking.sketch,
  },
];
const DOORS = [
  ['plain', { mqtts_url: null }],
  ['over TLS', { mqtt_url: null }],
] as const;

describe.each(SNIPPETS)('the snippet for $name', ({ name, write, doorOf, run, lacks: why }) => {
  if (why !== null) console.log(`the snippet for ${name}: skipped — ${why}`);
  let folder: string;
  let place: MqttPlace;
  beforeAll(async () => {
    if (why !== null) return;
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-snippet-'));
    place = await startPlace(join(folder, `o'hara's "rig" $HOME`));
  });
  afterAll(async () => {
    if (why !== null) return;
    await place.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The text for a place of which only some doors are known, or others are said. */
  const text = (addresses: Partial<MqttPlace['addresses']>, login = place.login) => {
    const door = doorOf({ ...place.addresses, ...addresses });
    if (door === null) throw new Error('No door for this snippet');
    return write(door, login);
  };

  test.skipIf(why !== null).for(DOORS)('stores its reading by the door that is %s', async ([, addresses]) => {
    await run(text(addresses), folder);
    expect(await place.arrived()).toMatchObject({ temperature: 21.5 });
  });

  test.skipIf(why !== null)('fails with a token that is not the device’s', async () => {
    const stranger = { ...place.login, device_token: `it's "another" \\ ü` };
    await expect(run(text({ mqtts_url: null }, stranger), folder)).rejects.toHaveProperty('code');
  });

  test.skipIf(why !== null)('fails where another authority signed the certificate', async () => {
    const { cert } = await createAuthority({ dns: ['localhost'], ips: [] }, Date.now());
    const other = join(folder, 'other authority');
    await mkdir(other, { recursive: true });
    const ca_file = join(other, 'ca.pem');
    await writeFile(ca_file, cert);
    const failing = run(text({ mqtt_url: null, ca_file, ca_certificate: cert }), folder);
    await expect(failing).rejects.toHaveProperty('code');
  });
});
