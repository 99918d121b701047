import { describe, expect, test, vi } from 'vitest';
import { createKeychainVault } from '#core/vault/keychain-vault.ts';
import { loadKeytar, openKeychain, type Keytar } from '#core/vault/keychain.ts';
import { vaultModelSuite } from '../../suites/vault-model.ts';
import { vaultSuite } from '../../suites/vault.ts';
import { PATIENTLY } from '../../helpers/patiently.ts';

/** What Windows takes in one entry: CRED_MAX_CREDENTIAL_BLOB_SIZE. */
const ENTRY_BYTES = 2560;

/** A keychain in memory, as narrow as Windows' and, once locked, as silent as gnome-keyring. */
function fakeKeytar() {
  const entries = new Map<string, string>();
  const calls: string[] = [];
  const state = { locked: false };
  const called = (name: string) => {
    calls.push(name);
    return Promise.resolve();
  };
  const keytar: Keytar = {
    async getPassword(service, account) {
      await called('get');
      return state.locked ? null : (entries.get(`${service}/${account}`) ?? null);
    },
    async setPassword(service, account, password) {
      await called('set');
      if (state.locked) throw new Error('Cannot create an item in a locked collection');
      if (Buffer.byteLength(password) > ENTRY_BYTES) throw new Error('The stub received bad data.');
      entries.set(`${service}/${account}`, password);
    },
    async deletePassword(service, account) {
      await called('delete');
      return !state.locked && entries.delete(`${service}/${account}`);
    },
  };
  /** Names of the entries that hold secrets. */
  const names = () => [...entries.keys()].filter((name) => !name.endsWith('/keychain check'));
  return { keytar, entries, names, calls, state };
}

async function openVault(keytar: Keytar, installationId = 'here') {
  return createKeychainVault(await openKeychain({ load: () => Promise.resolve(keytar) }), installationId);
}

vaultSuite('keychain, on a fake one', () => {
  const { keytar } = fakeKeytar();
  return Promise.resolve({
    open: () => openVault(keytar),
    remove: () => Promise.resolve(),
    lasting: true,
  });
});

vaultModelSuite('keychain, on a fake one', () => {
  const { keytar } = fakeKeytar();
  const open = () => openVault(keytar);
  return Promise.resolve({ open, afterCrash: open });
});

const tokenOf = (device_id: string, project_id = 'p') =>
  ({ kind: 'device-token', project_id, device_id }) as const;
const token = 'x'.repeat(40);

const failingKeytar = (message: string): Keytar => {
  const fail = () => Promise.reject(new Error(message));
  return { getPassword: fail, setPassword: fail, deletePassword: fail };
};

describe('a vault in the keychain', () => {
  test('packs about 30 device tokens to an entry, and writes each entry once', async () => {
    const { keytar, names, calls } = fakeKeytar();
    const vault = await openVault(keytar);
    calls.length = 0;
    await Promise.all(Array.from({ length: 1000 }, () => vault.set(tokenOf(crypto.randomUUID()), token)));
    expect(names().length).toBeGreaterThanOrEqual(32);
    expect(names().length).toBeLessThanOrEqual(36);
    expect(calls.filter((call) => call === 'set')).toHaveLength(names().length);
  });

  test('fills the room that deleted devices left, and removes empty entries', async () => {
    const { keytar, names } = fakeKeytar();
    const vault = await openVault(keytar);
    const ids = Array.from({ length: 100 }, () => crypto.randomUUID() as string);
    await Promise.all(ids.map((id) => vault.set(tokenOf(id), token)));
    const before = names().length;
    await Promise.all(ids.slice(0, 50).map((id) => vault.delete(tokenOf(id))));
    await Promise.all(ids.slice(0, 50).map(() => vault.set(tokenOf(crypto.randomUUID()), token)));
    expect(names()).toHaveLength(before);
    await Promise.all(ids.slice(50).map((id) => vault.delete(tokenOf(id))));
    expect(names().length).toBeLessThan(before);
    await vault.deleteProject('p');
    expect(names()).toEqual([]);
  });

  test('finds every token behind an emptied entry, and behind one that somebody deleted', async () => {
    const { keytar, entries, names } = fakeKeytar();
    const vault = await openVault(keytar);
    const ids = Array.from({ length: 120 }, () => crypto.randomUUID() as string);
    await Promise.all(ids.map((id) => vault.set(tokenOf(id), token)));
    const [first = '', second = ''] = names();
    const devicesIn = (name: string) => Object.keys(JSON.parse(entries.get(name) ?? '{}') as object);
    const gone = new Set([...devicesIn(first), ...devicesIn(second)]);
    await Promise.all(devicesIn(first).map((id) => vault.delete(tokenOf(id))));
    entries.delete(second);
    const again = await openVault(keytar);
    await again.set(tokenOf('new'), token);
    for (const id of ['new', ...ids])
      expect(await again.get(tokenOf(id)), id).toBe(gone.has(id) ? null : token);
    expect(gone.size).toBeLessThan(ids.length);
  });

  test('keeps the data folders of one machine apart', async () => {
    const { keytar } = fakeKeytar();
    const [one, two] = [await openVault(keytar, 'one'), await openVault(keytar, 'two')];
    for (const ref of [tokenOf('d'), { kind: 'api-key', id: 'k' } as const]) {
      await one.set(ref, 'of one');
      expect(await two.get(ref)).toBeNull();
      await two.set(ref, 'of two');
      expect(await one.get(ref)).toBe('of one');
    }
    await two.deleteProject('p');
    expect(await one.get(tokenOf('d'))).toBe('of one');
  });

  test('reads a token that the keychain lost as null, and takes a new one', async () => {
    const { keytar, entries } = fakeKeytar();
    const vault = await openVault(keytar);
    await vault.set(tokenOf('d'), 'old');
    entries.clear();
    expect(await vault.get(tokenOf('d'))).toBeNull();
    await vault.set(tokenOf('d'), 'new');
    expect(await vault.get(tokenOf('d'))).toBe('new');
  });

  test('lets no project wait for what another has to do', async () => {
    const { keytar, calls } = fakeKeytar();
    const vault = await openVault(keytar);
    await Promise.all(
      Array.from({ length: 600 }, (_, i) => vault.set(tokenOf(`${i}`.padStart(36, 'x')), token)),
    );
    await vault.set(tokenOf('d', 'other'), token);
    calls.length = 0;
    const deleting = vault.deleteProject('p');
    await vault.set(tokenOf('e', 'other'), token);
    await vault.set({ kind: 'api-key', id: 'k' }, token);
    const meanwhile = calls.length;
    await deleting;
    expect(calls.length).toBeGreaterThan(20);
    expect(meanwhile).toBeLessThan(calls.length / 2);
  });

  test('reads nothing before somebody asks for it, and then of no other project', async () => {
    const { keytar, calls } = fakeKeytar();
    const vault = await openVault(keytar);
    for (const project of ['p', 'q'])
      await Promise.all(
        Array.from({ length: 300 }, (_, i) => vault.set(tokenOf(`${i}`.padStart(36, 'x'), project), token)),
      );
    calls.length = 0;
    const again = await openVault(keytar);
    // Whether the keychain is there.
    expect(calls).toEqual(['get']);
    await again.get(tokenOf('0'.padStart(36, 'x'), 'q'));
    const packs = 300 / 30 + 1;
    expect(calls.length).toBeLessThan(packs * 2);
    calls.length = 0;
    await again.set(tokenOf('new', 'q'), token);
    expect(calls).toEqual(['get', 'set']);
  });

  test('gives up no token that was kept when a later write fails', async () => {
    const { keytar } = fakeKeytar();
    let failing = false;
    const vault = await openVault({
      ...keytar,
      setPassword: (...given) =>
        failing ? Promise.reject(new Error('a disk error')) : keytar.setPassword(...given),
    });
    await vault.set(tokenOf('kept'), 'kept');
    failing = true;
    await expect(vault.set(tokenOf('new'), 'new')).rejects.toMatchObject({
      name: 'VaultError',
      code: 'io',
      message: 'The OS keychain refused; the log has its reason. Try again.',
      cause: { message: 'a disk error' },
    });
    failing = false;
    expect(await vault.get(tokenOf('kept'))).toBe('kept');
    expect(await vault.get(tokenOf('new'))).toBeNull();
    await vault.set(tokenOf('new'), 'new');
    expect(await (await openVault(keytar)).get(tokenOf('new'))).toBe('new');
  });
});

describe('a keychain that is not there', () => {
  test.each([
    'Cannot autolaunch D-Bus without X11 $DISPLAY',
    'The name org.freedesktop.secrets was not provided by any .service files',
    'Some reason nobody has seen before',
  ])('is named with what to install and the other way: %s', async (message) => {
    const failed: unknown = await openKeychain({ load: () => Promise.resolve(failingKeytar(message)) }).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ name: 'VaultError', code: 'no-keychain' });
    expect(String(failed)).toContain(message);
    expect(String(failed)).toContain('--vault file');
    if (process.platform === 'linux') expect(String(failed)).toMatch(/libsecret.*gnome-keyring.*KWallet/);
  });

  test('is named likewise where its library does not load', async () => {
    const missing = new Error('libsecret-1.so.0: cannot open shared object file');
    await expect(openKeychain({ load: () => Promise.reject(missing) })).rejects.toMatchObject({
      code: 'no-keychain',
      message: expect.stringContaining('libsecret-1.so.0'),
    });
  });

  test('is named in words for people where keytar was not built, and not by a file of ours', async () => {
    const words = "Cannot find package 'keytar' imported from /opt/fieldbench/out/main/signals-x.js";
    const missing = Object.assign(new Error(words), { code: 'ERR_MODULE_NOT_FOUND' });
    const load = () => loadKeytar(() => Promise.reject(missing));
    await expect(openKeychain({ load })).rejects.toMatchObject({
      message: expect.stringMatching(/\(keytar, which talks to it, was not built\)/),
      cause: { message: 'keytar, which talks to it, was not built', cause: missing },
    });
  });

  test.each([
    'Cannot create an item in a locked collection',
    'Object does not exist at path “/org/freedesktop/secrets/collection/login”',
    'Prompt was dismissed',
    'User interaction is not allowed.',
  ])('is told from one that is locked: %s', async (message) => {
    await expect(openKeychain({ load: () => Promise.resolve(failingKeytar(message)) })).rejects.toMatchObject(
      {
        code: 'locked',
        message: expect.stringContaining('--vault file'),
      },
    );
  });
});

describe('a keychain that is locked while it is in use', () => {
  test('is not taken for an empty one, and has lost nothing once it is unlocked', async () => {
    const { keytar, state } = fakeKeytar();
    await (await openVault(keytar)).set(tokenOf('d'), 'token');
    const vault = await openVault(keytar);
    state.locked = true;
    const refused = { name: 'VaultError', code: 'locked' };
    await expect(vault.get(tokenOf('d'))).rejects.toMatchObject(refused);
    await expect(vault.set(tokenOf('new'), 'token')).rejects.toMatchObject(refused);
    await expect(vault.delete({ kind: 'api-key', id: 'a' })).rejects.toMatchObject(refused);
    await expect(vault.deleteProject('p')).rejects.toMatchObject(refused);
    await expect(openVault(keytar)).rejects.toMatchObject(refused);
    state.locked = false;
    await vault.set(tokenOf('new'), 'new token');
    expect(await vault.get(tokenOf('d'))).toBe('token');
    expect(await vault.get(tokenOf('new'))).toBe('new token');
  });
});

describe('a keychain that does not answer', () => {
  test('is given up after its time, is asked nothing more while it hangs, and works again once it answers', async () => {
    const { keytar } = fakeKeytar();
    const prompt = Promise.withResolvers<null>();
    let asked = 0;
    let locked = false;
    const keychain = await openKeychain({
      timeoutMs: 20,
      load: () =>
        Promise.resolve({
          ...keytar,
          getPassword: (...given) => {
            asked++;
            return locked ? prompt.promise : keytar.getPassword(...given);
          },
        }),
    });
    await keychain.set('service', 'account', 'secret');
    locked = true;
    asked = 0;
    const calls = await Promise.allSettled(
      Array.from({ length: 5 }, () => keychain.get('service', 'account')),
    );
    for (const call of calls) expect(call).toMatchObject({ reason: { name: 'VaultError', code: 'locked' } });
    expect(asked).toBe(1);
    locked = false;
    prompt.resolve(null);
    await vi.waitFor(async () => expect(await keychain.get('service', 'account')).toBe('secret'), PATIENTLY);
  });
});
