import type { DoorName } from '#shared/operations/service/doors.ts';
import { VAULT_SETTINGS } from '#shared/operations/service/service.ts';
import type { Config } from '../base/config.ts';
import { UsageError } from '../base/errors.ts';
import { parseAddress } from '../store/postgres/connection/address.ts';
import { isAddressOrNetwork } from '../net/peers.ts';
import { isLoopback } from '../tls/names.ts';
import { absolutePath, oneOf, parseFlags } from './parse.ts';
import { inMemory, rigFlags } from './rig-flags.ts';

/** Flags of `serve` and of the app, checked (docs/running.md, "Command line"). */
export interface ServeFlags extends Pick<
  Config,
  | 'host'
  | 'port'
  | 'httpPort'
  | 'mqttPort'
  | 'mqttsPort'
  | 'tls'
  | 'certificate'
  | 'vault'
  | 'strict'
  | 'publicUrl'
  | 'trustedProxies'
  | 'clock'
  | 'seedFile'
  | 'seed'
> {
  /** Absolute; null for the per-user folder. */
  readonly directory: string | null;
  /** Whether nothing is on disk. */
  readonly inMemory: boolean;
  /** Doors set by flags. */
  readonly flags: ReadonlySet<DoorName>;
  /** The address of a database; null for the data directory. */
  readonly store: string | null;
  /** Absolute. */
  readonly storePasswordFile: string | null;
  /** Absolute. */
  readonly keyFile: string | null;
  /** Absolute; null writes none. */
  readonly readyFile: string | null;
  /** How long it answers on before a stop. */
  readonly drainMs: number;
  /** What it says once it is ready; null for all its addresses. */
  readonly greeting: string | null;
}

const HTTPS_PORT = 7443;
const HTTP_PORT = 7480;
const MQTT_PORT = 1883;

export const OPTIONS = {
  data: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'http-port': { type: 'string' },
  'mqtt-port': { type: 'string' },
  'mqtts-port': { type: 'string' },
  tls: { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  vault: { type: 'string' },
  'ready-file': { type: 'string' },
  strict: { type: 'boolean' },
  store: { type: 'string' },
  'store-password-file': { type: 'string' },
  'key-file': { type: 'string' },
  'public-url': { type: 'string' },
  'trusted-proxy': { type: 'string', multiple: true },
  'in-memory': { type: 'boolean' },
  drain: { type: 'string' },
  greeting: { type: 'string' },
  clock: { type: 'string' },
  'seed-file': { type: 'string' },
  seed: { type: 'string' },
} as const;

export const SERVE_FLAGS_HELP = `  --data DIR          data directory (default: the per-user folder)
  --host H            where HTTPS listens (127.0.0.1); anything but loopback needs --tls on
  --port N            HTTPS, or with --tls off plain HTTP (${HTTPS_PORT}; 0 takes any free port)
  --http-port N|off   plain HTTP on loopback (${HTTP_PORT})
  --tls on|off        with the service's own certificate authority (on)
  --tls-cert FILE     another certificate than the service's own: its chain, PEM, looked at again
  --tls-key FILE      every five minutes; and its private key, PEM, without a passphrase
  --vault KIND        where secrets are kept: keychain, file (encrypted with the passphrase in
                      FIELDBENCH_PASSPHRASE, else with a key beside it) or memory (gone at exit)
                      (auto: where they are; a new data directory gets the keychain, or the file)
  --ready-file F      written once everything listens, removed at exit. It holds a key: put it
                      where only you can read, on Windows below %LOCALAPPDATA%
  --strict            only the operations of the /v2 document
  --store URL         keeps everything in a PostgreSQL that several services share:
                      postgres://user@host/database, its password in FIELDBENCH_STORE_PASSWORD
  --store-password-file F
                      its password is in this file, which is read again for each connection
  --key-file F        with --store: 32 random bytes that open the secrets, the same for all its
                      services; or set FIELDBENCH_PASSPHRASE
  --public-url URL    where others reach the service, such as https://lab.example.org of a balancer
  --trusted-proxy A   address of a balancer, or a network such as 10.0.0.0/24, again for each: its
                      connections are not limited as those of one machine
  --drain SECONDS     a stop is told to balancers so long before it (0): /readyz answers 503, and
                      everything else as before
  --greeting TEXT     says this once it is ready, in place of all its addresses; {console} in it is
                      the address that opens the console
  --clock C           for rigs: system (the machine's), frozen, frozen@TIME or scaled@TIME*RATE: a clock
                      that /_local/v1/clock sets, holds and moves
  --seed-file F       for rigs: accounts, projects, devices, keys and records (JSON or YAML) that are made
                      where they are not there
  --seed N            for rigs: ids, keys and tokens follow from this whole number, and can be guessed
  --in-memory         for rigs: nothing on disk, secrets included; all is gone when it ends. It may take
                      half of the memory that is free at the start, and is full then
  --mqtt-port N|off   plain MQTT on loopback (${MQTT_PORT}, or none where another program has that)
  --mqtts-port N|off  MQTT with the service's certificate, where HTTPS listens (off)`;

/** Reads the flags of `serve`. Throws UsageError at the first that cannot be. */
export function parseServeFlags(args: readonly string[]): ServeFlags {
  const values = parseFlags(args, OPTIONS);
  const tls = oneOf('tls', values.tls ?? 'on', ['on', 'off']) === 'on';
  const vault = oneOf('vault', values.vault ?? 'auto', VAULT_SETTINGS);
  const host = values.host ?? '127.0.0.1';
  if (host === '') throw new UsageError('--host takes a name or an address, got "".');
  if (!tls && !isLoopback(host))
    throw new UsageError(
      `--host ${host} opens the service to the network, which needs --tls on. Leave --tls off away, or --host.`,
    );
  return {
    directory: absolutePath('data', values.data),
    inMemory: inMemory(values),
    host,
    ...ports(values.port, values['http-port'], tls),
    ...mqttPorts(values['mqtt-port'], values['mqtts-port'], tls),
    tls,
    certificate: certificate(values['tls-cert'], values['tls-key'], tls),
    flags: saidOf(values),
    vault: values['in-memory'] === true ? 'memory' : vault,
    strict: values.strict ?? false,
    ...rigFlags(values),
    ...storeFlags(values),
    publicUrl: publicUrl(values['public-url']),
    trustedProxies: trustedProxies(values['trusted-proxy']),
    readyFile: absolutePath('ready-file', values['ready-file']),
    drainMs: drainMs(values.drain),
    greeting: values.greeting ?? null,
  };
}

/** The address is read here, so that a wrong one says so before anything is opened. */
function storeFlags(values: {
  readonly store?: string;
  readonly 'key-file'?: string;
  readonly 'store-password-file'?: string;
  readonly vault?: string;
}) {
  const { store, 'key-file': keyFile, 'store-password-file': passwordFile, vault } = values;
  if (store === undefined && keyFile !== undefined)
    throw new UsageError('--key-file opens the secrets of a --store, and none is named.');
  if (store === undefined && passwordFile !== undefined)
    throw new UsageError('--store-password-file is for the database of a --store, and none is named.');
  if (store !== undefined && vault !== undefined)
    throw new UsageError(
      `--vault ${vault} is for a data directory: with --store secrets are in the database.`,
    );
  if (store !== undefined) parseAddress(store);
  return {
    store: store ?? null,
    storePasswordFile: absolutePath('store-password-file', passwordFile),
    keyFile: absolutePath('key-file', keyFile),
  };
}

/** Longest drain, in seconds: a stop that takes longer is taken for one that hangs. */
const MOST_DRAIN_S = 600;

function drainMs(given = '0'): number {
  const seconds = Number(given);
  if (!/^\d+$/.test(given) || seconds > MOST_DRAIN_S)
    throw new UsageError(`--drain takes seconds from 0 to ${MOST_DRAIN_S}, got "${given}".`);
  return seconds * 1000;
}

/** Throws UsageError where it is no address of a service. */
function publicUrl(given: string | undefined): string | null {
  if (given === undefined) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search + url.hash !== '')
    throw new UsageError(`--public-url takes an address such as "https://lab.example.org", got "${given}".`);
  return url.origin;
}

/** Throws UsageError at the first that is neither an address nor a network. */
function trustedProxies(given: readonly string[] = []): readonly string[] {
  const wrong = given.find((one) => !isAddressOrNetwork(one));
  if (wrong !== undefined)
    throw new UsageError(
      `--trusted-proxy takes an address such as "10.0.0.5" or a network such as "10.0.0.0/24", got "${wrong}".`,
    );
  return given;
}

const DOOR_FLAGS = {
  host: 'network',
  port: 'https_port',
  'http-port': 'http_port',
  'mqtt-port': 'mqtt_port',
  'mqtts-port': 'mqtts_port',
} as const satisfies Record<string, DoorName>;

const saidOf = (values: Readonly<Record<string, unknown>>): ReadonlySet<DoorName> =>
  new Set(Object.entries(DOOR_FLAGS).flatMap(([flag, name]) => (values[flag] === undefined ? [] : name)));

/** With tls off there is one plain door: the one of --port or else of --http-port. */
function ports(port: string | undefined, httpPort: string | undefined, tls: boolean) {
  const main = port === undefined ? null : portNumber('port', port, false);
  const plain = httpPort === undefined ? HTTP_PORT : portNumber('http-port', httpPort, true);
  if (tls) return { port: main ?? HTTPS_PORT, httpPort: plain };
  if (main !== null && httpPort !== undefined && plain !== null && main !== plain)
    throw new UsageError(`With --tls off there is one port: --port ${main} and --http-port ${plain} differ.`);
  return { port: main ?? plain ?? HTTP_PORT, httpPort: null };
}

function mqttPorts(mqttPort: string | undefined, mqttsPort: string | undefined, tls: boolean) {
  const plain = mqttPort === undefined ? MQTT_PORT : portNumber('mqtt-port', mqttPort, true);
  const secure = mqttsPort === undefined ? null : portNumber('mqtts-port', mqttsPort, true);
  if (secure !== null && !tls)
    throw new UsageError(
      `--mqtts-port ${secure} needs the service's certificate, and --tls off leaves it without one. Leave one of the two away.`,
    );
  return {
    mqttPort: plain === null ? null : { number: plain, isAsked: mqttPort !== undefined },
    mqttsPort: secure,
  };
}

function certificate(
  cert: string | undefined,
  key: string | undefined,
  tls: boolean,
): ServeFlags['certificate'] {
  const [certFile, keyFile] = [absolutePath('tls-cert', cert), absolutePath('tls-key', key)];
  if (certFile === null && keyFile === null) return null;
  if (certFile === null || keyFile === null)
    throw new UsageError(
      `--tls-cert and --tls-key belong together: ${certFile === null ? '--tls-cert' : '--tls-key'} is missing.`,
    );
  if (!tls)
    throw new UsageError('--tls-cert is for HTTPS, which --tls off leaves out. Leave one of the two away.');
  return { certFile, keyFile };
}

function portNumber(name: string, value: string, mayBeOff: false): number;
function portNumber(name: string, value: string, mayBeOff: true): number | null;
function portNumber(name: string, value: string, mayBeOff: boolean): number | null {
  if (mayBeOff && value === 'off') return null;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(
    `--${name} takes a port from 0 to 65535${mayBeOff ? ' or "off"' : ''}, got "${value}".`,
  );
}
