import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Keychain } from '#core/vault/keychain.ts';
import { openVault, type VaultOptions } from '#core/vault/open-vault.ts';
import { SecretsKeeper } from '#core/vault/secrets-keeper.ts';
import type { SecretRef, Vault } from '#core/vault/vault.ts';
import { randomCrashState } from '../../faults/crash-states.ts';
import { diskFiles, type DiskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';
import { tokenOf } from './lives.ts';
import { someRuns } from '../../helpers/some-runs.ts';

/* Moving secrets between vaults: whatever step it dies at, all of them are readable, and copies go. */

type Lasting = 'keychain' | 'file';

const REFS: readonly SecretRef[] = [
  { kind: 'api-key', id: 'own' },
  { kind: 'tls-key', id: 'ca' },
  ...Array.from({ length: 40 }, (_, i) => tokenOf(`device ${i}`, `project ${i % 3}`)),
];
const SECRETS = REFS.map((_, i) => `secret ${i} `.padEnd(40, 'x'));
const newcomer = tokenOf('newcomer', 'project 1');

/** A disk and a keychain, of which each step can be the last one. */
class Machine {
  /** Steps that are still done before everything fails, as it does to a process that was killed. */
  left = Infinity;
  done = 0;
  /** Steps that fail, and no other. */
  readonly failing = new Set<number>();
  readonly entries: Map<string, string>;
  readonly base: Disk;
  readonly files: DiskFiles;
  readonly warnings: string[] = [];

  constructor(base = new Disk(), entries: ReadonlyMap<string, string> = new Map()) {
    this.base = base;
    this.entries = new Map(entries);
    this.files = diskFiles(base.copy(), () => (this.#step() ? null : 'EIO'));
  }

  #step(): boolean {
    this.done++;
    if (this.failing.delete(this.done)) return false;
    return this.left-- > 0;
  }

  #asked<T>(answer: () => T): Promise<T> {
    return this.#step() ? Promise.resolve(answer()) : Promise.reject(new Error('killed'));
  }

  get options(): VaultOptions {
    const keychain: Keychain = {
      get: (service, account) => this.#asked(() => this.entries.get(`${service}/${account}`) ?? null),
      set: (service, account, secret) =>
        this.#asked(() => void this.entries.set(`${service}/${account}`, secret)),
      delete: (service, account) => this.#asked(() => void this.entries.delete(`${service}/${account}`)),
    };
    return {
      kind: 'auto',
      directory: '/',
      isNew: false,
      isPortable: false,
      passphrase: null,
      installationId: 'here',
      patienceMs: 1000,
      log: { warn: (line) => void this.warnings.push(line) },
      files: this.files,
      keychain: () => this.#asked(() => keychain),
    };
  }

  async open(given: Partial<VaultOptions> = {}): Promise<SecretsKeeper> {
    const options = { ...this.options, ...given };
    const opened = await openVault(options);
    return new SecretsKeeper(opened, { ...options, kind: 'auto' });
  }

  /** What the power leaves of it. */
  after(random: () => number): Machine {
    return new Machine(randomCrashState(this.files.trace, random, this.base), this.entries);
  }

  async fileVault(): Promise<string[]> {
    const names = (await this.files.list('/')).map(({ name }) => name);
    return names.filter((name) => /^vault(-.*\.journal|-next\.key|\.json|\.key)/.test(name));
  }
}

const all = (vault: Vault) => Promise.all(REFS.map((ref) => vault.get(ref)));
const work = { refs: () => Promise.resolve(REFS), progress: () => {} };

/** A machine whose secrets are all in a vault of a kind, and are durable. */
async function settled(kind: Lasting): Promise<Machine> {
  const first = new Machine();
  const { vault } = await first.open({ kind });
  await Promise.all(REFS.map((ref, i) => vault.set(ref, SECRETS[i] ?? '')));
  await vault.close();
  const disk = new Disk();
  for (const operation of first.files.trace) disk.apply(operation);
  return new Machine(disk, first.entries);
}

/** Only the vault that is in use has anything. */
async function holdsNoCopies(machine: Machine, kind: string): Promise<void> {
  if (kind === 'file') expect([...machine.entries.keys()]).toEqual([]);
  else expect(await machine.fileVault()).toEqual([]);
}

describe.each<[Lasting, Lasting]>([
  ['file', 'keychain'],
  ['keychain', 'file'],
])('a move from %s to %s', (from, to) => {
  const move = (keeper: SecretsKeeper, signal = new AbortController().signal) =>
    keeper.move(to, { ...work, signal });

  test('takes every secret along, leaves none behind, and the next start finds them', async () => {
    const machine = await settled(from);
    const keeper = await machine.open();
    expect(keeper.vault.kind).toBe(from);
    expect(await move(keeper)).toEqual({ moved: REFS.length, left: null });
    expect(keeper.now()).toMatchObject({ kind: to, reason: 'the secrets were moved there' });
    expect(await all(keeper.vault)).toEqual(SECRETS);
    await holdsNoCopies(machine, to);
    await keeper.vault.close();
    const again = await machine.open();
    expect(again.vault.kind).toBe(to);
    expect(await all(again.vault)).toEqual(SECRETS);
    expect(await again.move(from, { ...work, signal: new AbortController().signal })).toMatchObject({
      left: null,
    });
    expect(await all(again.vault)).toEqual(SECRETS);
    await holdsNoCopies(machine, from);
    await again.vault.close();
  });

  test('misses nothing that is kept and deleted while it runs', async () => {
    const machine = await settled(from);
    const keeper = await machine.open();
    const moved = move(keeper);
    const changes = [
      keeper.vault.set(newcomer, 'came meanwhile'),
      keeper.vault.set(REFS[0] as SecretRef, 'changed meanwhile'),
      keeper.vault.deleteProject('project 2'),
    ];
    await Promise.all([moved, ...changes]);
    expect(keeper.vault.kind).toBe(to);
    expect(await keeper.vault.get(newcomer)).toBe('came meanwhile');
    const expected = REFS.map((ref, i) =>
      ref.kind === 'device-token' && ref.project_id === 'project 2'
        ? null
        : i === 0
          ? 'changed meanwhile'
          : SECRETS[i],
    );
    expect(await all(keeper.vault)).toEqual(expected);
    await keeper.vault.close();
  });

  test('leaves everything as it was when it is cancelled', async () => {
    const machine = await settled(from);
    const keeper = await machine.open();
    const stop = new AbortController();
    const refs = () => {
      stop.abort(new Error('enough'));
      return Promise.resolve(REFS);
    };
    // Of a file the keeper asks nobody what is in it: it is cancelled before that.
    if (from === 'file') stop.abort(new Error('enough'));
    await expect(keeper.move(to, { ...work, refs, signal: stop.signal })).rejects.toThrow('enough');
    expect(keeper.vault.kind).toBe(from);
    expect(await all(keeper.vault)).toEqual(SECRETS);
    await holdsNoCopies(machine, from);
    await keeper.vault.close();
  });

  test('loses no secret where single steps of it fail', async () => {
    const failing = fc.uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(failing, async (steps) => {
        const machine = await settled(from);
        const keeper = await machine.open();
        for (const step of steps) machine.failing.add(machine.done + step);
        await move(keeper).catch(() => null);
        machine.failing.clear();
        expect(await all(keeper.vault)).toEqual(SECRETS);
        const next = machine.after(() => 0.99);
        const { vault } = await next.open();
        expect(await all(vault)).toEqual(SECRETS);
        await vault.close();
      }),
      { numRuns: someRuns(300) },
    );
  });

  test('loses no secret, whatever step it dies at and whatever of the disk is lost', async () => {
    const calm = await settled(from);
    const quiet = await calm.open();
    const before = calm.done;
    await move(quiet);
    const steps = calm.done - before;
    expect(steps).toBeGreaterThan(20);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: steps }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        async (step, numbers) => {
          const machine = await settled(from);
          const keeper = await machine.open();
          machine.left = step;
          await move(keeper).catch(() => null);
          const next = machine.after(() => numbers.next().value ?? 0);
          const { vault } = await next.open();
          expect(await all(vault)).toEqual(SECRETS);
          expect(await vault.readKept(REFS)).toEqual(SECRETS);
          await holdsNoCopies(next, vault.kind);
          await vault.set(newcomer, 'after');
          await vault.close();
          const last = await next.open();
          expect(await last.vault.get(newcomer)).toBe('after');
          await last.vault.close();
        },
      ),
      { numRuns: someRuns(150) },
    );
  });
});

test('a move to a file leaves a file vault from before alone, and is refused', async () => {
  const machine = await settled('file');
  const { vault } = await machine.open({ kind: 'keychain' });
  await vault.set(newcomer, 'in the keychain');
  await vault.close();
  const keeper = await machine.open();
  const signal = new AbortController().signal;
  await expect(keeper.move('file', { ...work, signal })).rejects.toThrow('a file vault from before');
  await keeper.vault.close();
  const before = await machine.open({ kind: 'file' });
  expect(await all(before.vault)).toEqual(SECRETS);
  await before.vault.close();
});

test('a move to where the secrets are, or that the start forbids, is refused', async () => {
  const machine = await settled('file');
  const keeper = await machine.open();
  const signal = new AbortController().signal;
  await expect(keeper.move('file', { ...work, signal })).rejects.toThrow(
    'to is where the secrets are already',
  );
  const told = new SecretsKeeper(await openVault({ ...machine.options, kind: 'file' }), {
    ...machine.options,
    kind: 'file',
  });
  await expect(told.move('keychain', { ...work, signal })).rejects.toThrow('--vault file says at the start');
  await keeper.vault.close();
});

describe('a self-test', () => {
  test('leaves nothing behind', async () => {
    for (const kind of ['file', 'keychain'] as const) {
      const machine = await settled(kind);
      const keeper = await machine.open();
      const { is_well, steps } = await keeper.test();
      expect([is_well, steps.map(({ step }) => step)]).toEqual([true, ['write', 'read', 'delete', 'gone']]);
      expect(JSON.stringify([...machine.entries])).not.toContain('probe');
      await keeper.vault.close();
    }
  });

  test('says which step failed, and what to do', async () => {
    const machine = await settled('file');
    const keeper = await machine.open();
    machine.left = 0;
    const { is_well, steps } = await keeper.test();
    expect(is_well).toBe(false);
    expect(steps[0]).toMatchObject({ step: 'write', problem: expect.stringMatching(/could not be written/) });
    machine.left = Infinity;
    await keeper.vault.close();
  });
});
