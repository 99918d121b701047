import type { Config } from '#core/base/config.ts';
import { ISOLATE_SCRIPT } from './scripts.ts';

/** scrypt's N that takes no time. */
const CHEAP = 16;

/** A Config for a service of a test: plain HTTP on a free port of loopback, secrets in memory, passphrases that are cheap to try, no threads. */
export function testConfig(given: Partial<Config> & Pick<Config, 'directory'>): Config {
  return {
    store: null,
    memoryBytes: null,
    publicUrl: null,
    trustedProxies: [],
    host: '127.0.0.1',
    port: 0,
    httpPort: 0,
    mqttPort: null,
    mqttsPort: null,
    tls: false,
    certificate: null,
    flags: null,
    vault: 'memory',
    keychainPatienceMs: 10_000,
    passphrase: null,
    backupCost: CHEAP,
    isPortable: false,
    clock: null,
    seedFile: null,
    seed: null,
    strict: false,
    rendererDirectory: null,
    workerScript: null,
    isolateScript: ISOLATE_SCRIPT,
    ...given,
  };
}
