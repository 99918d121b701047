import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseServeFlags, SERVE_FLAGS_HELP } from '#core/cli/flags.ts';
import { UsageError } from '#core/base/errors.ts';

const STORE = 'postgres://u@h/d';

const DEFAULTS = {
  directory: null,
  inMemory: false,
  host: '127.0.0.1',
  port: 7443,
  httpPort: 7480,
  mqttPort: { number: 1883, isAsked: false },
  mqttsPort: null,
  tls: true,
  certificate: null,
  vault: 'auto',
  strict: false,
  clock: null,
  seedFile: null,
  seed: null,
  store: null,
  storePasswordFile: null,
  keyFile: null,
  publicUrl: null,
  trustedProxies: [],
  readyFile: null,
  drainMs: 0,
  greeting: null,
};

test.each([
  [[], {}],
  [['--data', 'lab'], { directory: resolve('lab') }],
  [['--data=/x y'], { directory: '/x y' }],
  [['--port', '0', '--http-port', '0'], { port: 0, httpPort: 0 }],
  [['--http-port', 'off'], { httpPort: null }],
  [['--host', '0.0.0.0'], { host: '0.0.0.0' }],
  [
    ['--tls-cert', 'c.pem', '--tls-key', 'k.pem'],
    { certificate: { certFile: resolve('c.pem'), keyFile: resolve('k.pem') } },
  ],
  [['--vault', 'file'], { vault: 'file' }],
  [
    ['--trusted-proxy', '10.0.0.5', '--trusted-proxy=2001:db8::/32'],
    { trustedProxies: ['10.0.0.5', '2001:db8::/32'] },
  ],
  [['--strict', '--ready-file', 'r.json'], { strict: true, readyFile: resolve('r.json') }],
  [['--mqtt-port', 'off', '--mqtts-port=off'], { mqttPort: null }],
  [['--mqtt-port', '1883'], { mqttPort: { number: 1883, isAsked: true } }],
  [['--mqtt-port=0', '--mqtts-port', '8883'], { mqttPort: { number: 0, isAsked: true }, mqttsPort: 8883 }],
  // With tls off there is one plain door.
  [['--tls', 'off'], { tls: false, port: 7480, httpPort: null }],
  [['--tls', 'off', '--port', '8080'], { tls: false, port: 8080, httpPort: null }],
  [['--tls', 'off', '--http-port', '8080'], { tls: false, port: 8080, httpPort: null }],
  [['--tls', 'off', '--port', '0', '--http-port', '0'], { tls: false, port: 0, httpPort: null }],
  [['--tls', 'off', '--http-port', 'off'], { tls: false, port: 7480, httpPort: null }],
  [['--store', STORE], { store: STORE }],
  [['--store', STORE, '--key-file', 'lab.key'], { store: STORE, keyFile: resolve('lab.key') }],
  [['--store', STORE, '--store-password-file', 'p'], { store: STORE, storePasswordFile: resolve('p') }],
  [['--public-url', 'https://Lab.example.org/'], { publicUrl: 'https://lab.example.org' }],
])('%j', (args, expected) => {
  const { flags: _, ...read } = parseServeFlags(args);
  expect(read).toEqual({ ...DEFAULTS, ...expected });
});

describe('refuses', () => {
  test.each([
    [['--prot', '1'], /'--prot'/],
    [['serve'], /'serve'/],
    [['--data'], /--data/],
    [['--data', '--strict'], /^--data lacks its value; .*--data=VALUE/],
    [['--data', ''], /--data takes a path, got ""/],
    [['--port', '70000'], /--port takes a port from 0 to 65535, got "70000"/],
    [['--port', 'off'], /--port takes a port from 0 to 65535, got "off"/],
    [['--port', '-1'], /--port/],
    [['--port', '1e3'], /got "1e3"/],
    [['--http-port', 'on'], /--http-port takes a port from 0 to 65535 or "off", got "on"/],
    [['--tls', 'yes'], /--tls takes on or off, got "yes"/],
    [['--vault', 'disk'], /--vault takes auto, keychain, file or memory, got "disk"/],
    [['--strict=no'], /--strict/],
    [['--mqtt-port', '188x'], /--mqtt-port takes a port from 0 to 65535 or "off", got "188x"/],
    [['--mqtts-port', 'on'], /--mqtts-port takes a port from 0 to 65535 or "off", got "on"/],
    [['--tls-cert', 'a.pem'], /--tls-cert and --tls-key belong together: --tls-key is missing/],
    [['--tls-key', 'a.pem'], /--tls-cert is missing/],
    [['--tls-cert', '', '--tls-key', 'a'], /--tls-cert takes a path/],
    [
      ['--tls-cert', 'a', '--tls-key', 'b', '--tls', 'off'],
      /--tls-cert is for HTTPS, which --tls off leaves out/,
    ],
    [['--tls', 'off', '--mqtts-port', '8883'], /--mqtts-port 8883 needs the service's certificate/],
    [['--host', '0.0.0.0', '--tls', 'off'], /--host 0\.0\.0\.0 .*needs --tls on/],
    [['--host', '192.168.1.5', '--tls', 'off'], /needs --tls on/],
    [['--tls', 'off', '--port', '1', '--http-port', '2'], /--port 1 and --http-port 2 differ/],
    [['--key-file', 'lab.key'], /--key-file opens the secrets of a --store/],
    [['--store-password-file', 'f'], /--store-password-file is for the database of a --store/],
    [['--store', STORE, '--store-password-file', ''], /--store-password-file takes a path/],
    [['--store', STORE, '--vault', 'file'], /--vault file is for a data directory/],
    ...['balancer', '10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', ''].map((wrong): [string[], RegExp] => [
      ['--trusted-proxy', '10.0.0.5', '--trusted-proxy', wrong],
      new RegExp(`^--trusted-proxy takes an address such as "10.0.0.5" or .*, got "${wrong}"`),
    ]),
    [['--public-url', 'lab'], /--public-url takes an address such as .*, got "lab"/],
    [['--public-url', 'https://h/path'], /got "https:\/\/h\/path"/],
  ])('%j', (args, message) => {
    expect(() => parseServeFlags(args)).toThrow(UsageError);
    expect(() => parseServeFlags(args)).toThrow(message);
    expect(() => parseServeFlags(args)).not.toThrow(/\n/);
  });
});

test('a password in the address of a database is refused, and not repeated', () => {
  const parse = () => parseServeFlags(['--store', 'postgres://u:hunter2@h/d']);
  expect(parse).toThrow(/FIELDBENCH_STORE_PASSWORD/);
  expect(parse).not.toThrow(/hunter2/);
});

test('the help names every flag', () => {
  for (const flag of [
    'data',
    'host',
    'port',
    'http-port',
    'mqtt-port',
    'mqtts-port',
    'tls',
    'vault',
    'ready-file',
    'strict',
    'store',
    'store-password-file',
    'key-file',
    'public-url',
    'trusted-proxy',
    'in-memory',
  ])
    expect(SERVE_FLAGS_HELP).toContain(`--${flag} `.trimEnd());
});

test('what is said of the doors is known, so that the settings of the app do not change it', () => {
  expect(parseServeFlags([]).flags).toEqual(new Set());
  expect(parseServeFlags(['--strict', '--tls', 'on', '--vault', 'file']).flags).toEqual(new Set());
  const all = ['--host', '::1', '--port', '1', '--http-port=off', '--mqtt-port', '2', '--mqtts-port', 'off'];
  expect(parseServeFlags(all).flags).toEqual(
    new Set(['network', 'https_port', 'http_port', 'mqtt_port', 'mqtts_port']),
  );
});
