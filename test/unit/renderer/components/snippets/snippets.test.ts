import { describe, expect, test } from 'vitest';
import { arduinoMqttSnippet } from '../../../../../renderer/components/facts/snippets/arduino-mqtt-snippet.ts';
import { mosquittoSnippet } from '../../../../../renderer/components/facts/snippets/mosquitto-snippet.ts';
import {
  doorForDevices,
  doorForPrograms,
  isOfThisMachine,
} from '../../../../../renderer/components/facts/snippets/mqtt-door.ts';
import { pythonMqttSnippet } from '../../../../../renderer/components/facts/snippets/python-mqtt-snippet.ts';
import { cppText, pythonText, shellWord } from '../../../../../renderer/components/facts/snippets/quoted.ts';

const login = { device_id: 'boiler', device_token: 'secret' };
const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const both = {
  mqtt_url: 'mqtt://127.0.0.1:1883',
  mqtts_url: 'mqtts://192.168.1.5:8883',
  network_hosts: [] as string[],
  ca_file: '/rig/ca.pem',
  ca_certificate: PEM,
};

describe('the door that a snippet takes', () => {
  test('is for programs the plain one, else that over TLS with the file of its authority', () => {
    expect(doorForPrograms(both)).toEqual({ host: '127.0.0.1', port: 1883, authority: null });
    expect(doorForPrograms({ ...both, mqtt_url: null })).toEqual({
      host: '192.168.1.5',
      port: 8883,
      authority: '/rig/ca.pem',
    });
  });
  test('is for devices that over TLS with the certificate of its authority, else the plain one', () => {
    expect(doorForDevices(both)).toEqual({ host: '192.168.1.5', port: 8883, authority: PEM });
    expect(doorForDevices({ ...both, mqtts_url: null })).toEqual({
      host: '127.0.0.1',
      port: 1883,
      authority: null,
    });
  });
  test('is none where it could not be trusted, or is shut', () => {
    expect(doorForPrograms({ ...both, mqtt_url: null, ca_file: null })).toBeNull();
    expect(doorForDevices({ ...both, mqtt_url: null, ca_certificate: null })).toBeNull();
    expect(doorForDevices({ ...both, mqtt_url: null, mqtts_url: null })).toBeNull();
  });
  test('has an address of IPv6 without brackets, as clients take it', () => {
    // What listens for the whole network is known to devices by an address of that.
    const everywhere = { ...both, mqtts_url: 'mqtts://127.0.0.1:8883' };
    expect(doorForDevices({ ...everywhere, network_hosts: ['10.0.0.7', 'fd00::5'] })).toMatchObject({
      host: '10.0.0.7',
    });
    expect(doorForDevices({ ...everywhere, network_hosts: ['fd00::5'] })).toMatchObject({
      host: 'fd00::5',
      port: 8883,
    });
    const door = doorForDevices({ ...both, mqtts_url: 'mqtts://[fd00::5]:8883' });
    expect(door).toMatchObject({ host: 'fd00::5', port: 8883 });
  });
  test.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['localhost', true],
    ['192.168.1.5', false],
    ['rig.local', false],
  ])('%s is of this machine only: %s', (host, expected) => {
    expect(isOfThisMachine({ host, port: 1883, authority: null })).toBe(expected);
  });
});

describe('a literal', () => {
  test('of the shell ends at no quote of the text', () => {
    expect(shellWord("o'hara $(id)")).toBe(`'o'\\''hara $(id)'`);
  });
  test('of Python escapes quotes, backslashes and lines', () => {
    expect(pythonText('a "b" \\ c\n')).toBe(String.raw`"a \"b\" \\ c\n"`);
  });
  test('of C++ escapes the same, and what is not ASCII by its bytes', () => {
    expect(cppText('a "b" \\ ü1\n')).toBe(String.raw`"a \"b\" \\ \303\2741\012"`);
  });
});

describe('a snippet', () => {
  const plain = { host: '127.0.0.1', port: 1883, authority: null };
  test('publishes with QoS 1 where its client can, and says where it cannot', () => {
    expect(mosquittoSnippet(plain, login)).toContain(' -q 1 ');
    expect(pythonMqttSnippet(plain, login)).toContain('qos=1');
    expect(arduinoMqttSnippet(plain, login)).toContain('publishes with QoS 0');
  });
  test('for a board says in itself that this machine is not to be reached from the network', () => {
    expect(arduinoMqttSnippet(plain, login)).toContain('Only this machine reaches this address');
    const reachable = { host: '192.168.1.5', port: 8883, authority: PEM };
    expect(arduinoMqttSnippet(reachable, login)).not.toContain('Only this machine');
    expect(arduinoMqttSnippet(reachable, login)).toContain(`R"PEM(${PEM})PEM"`);
  });
  test('speaks of TLS only where there is TLS', () => {
    expect(mosquittoSnippet(plain, login)).not.toContain('--cafile');
    expect(pythonMqttSnippet(plain, login)).not.toContain('tls');
    expect(arduinoMqttSnippet(plain, login)).not.toMatch(/Secure|CACert|certificate/);
  });
});
