import { randomUUID } from 'node:crypto';
import { createKeychainVault } from '../../electron/core/vault/keychain-vault.ts';
import { openKeychain } from '../../electron/core/vault/keychain.ts';
import { createDeviceToken } from '../../electron/core/vault/secrets.ts';
import { inTurn, rounds, timed, type Sample } from '../lib/measure.ts';
import { systemRandom } from '../../electron/core/base/system-random.ts';

/** What the session's keychain takes, in ms; written to standard output as JSON. */
export interface KeychainTimes {
  /** One more token in a keychain that has none to begin with, and in one with many. */
  readonly first: Sample;
  readonly last: Sample;
  /** Opening an installation and reading its service's key, without tokens and with many. */
  readonly without: Sample;
  readonly withAll: Sample;
  /** All of the many at once. */
  readonly filling: number;
}

type Vault = ReturnType<typeof createKeychainVault>;
const [devices, count] = process.argv.slice(2).map(Number);
if (devices === undefined || count === undefined) throw new Error('How many tokens, and how many rounds?');

const OWN_KEY = { kind: 'api-key', id: 'own' } as const;
const open = async (installation: string) => createKeychainVault(await openKeychain(), installation);
const keep = (vault: Vault) =>
  vault.set(
    { kind: 'device-token', project_id: 'p', device_id: randomUUID() },
    createDeviceToken(systemRandom),
  );

const [few, many, nobody] = [randomUUID(), randomUUID(), randomUUID()];
const [empty, full] = [await open(few), await open(many)];
for (const installation of [many, nobody]) await (await open(installation)).set(OWN_KEY, 'fb_key');
// Before there are many: gnome-keyring writes its whole file for each change, whoever's secrets are in it.
const first = await rounds(count, () => timed(() => keep(empty)));
const filling = await timed(() => Promise.all(Array.from({ length: devices }, () => keep(full))));
const last = await rounds(count, () => timed(() => keep(full)));
const start = (installation: string) => () =>
  timed(async () => {
    if ((await (await open(installation)).get(OWN_KEY)) !== 'fb_key') throw new Error('The key is gone.');
  });
const [without, withAll] = await inTurn(count, [start(nobody), start(many)]);
if (!without || !withAll) throw new Error('Nothing was measured.');
const times: KeychainTimes = { first, last, without, withAll, filling };
console.log(JSON.stringify(times));
