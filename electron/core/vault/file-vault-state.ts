import { join } from 'node:path';
import { temporaryName, writeAtomically } from '../disk/atomic-file.ts';
import { readWhole } from '../disk/whole-file.ts';
import type { Logger } from '../base/logger.ts';
import { isEmptyJournal } from './journal-format.ts';
import { Journal, JOURNAL_NAME, journalName } from './journal.ts';
import { VaultError } from '../base/errors.ts';
import { eraseKeyFile, KEY_FILE, makeNextKey, NEXT_KEY_FILE, promoteNextKey } from './key-file.ts';
import { newLock, required, unlock, vaultPath, type Lock, type Place } from './lock.ts';
import { apply, entriesText, readEntries, type Entry, type SecretMap } from './secret-map.ts';
import { damaged, journalSecretOf, readVaultFile, vaultFileText } from './vault-file.ts';

/** Secrets in one frame of a journal that is written anew. */
const FRAME_ENTRIES = 512;
/** Frames, or secrets that count no more, beyond those that count, before a journal is written anew. */
const SLACK = 256;

interface Options {
  readonly passphrase: string | null;
  readonly log: Pick<Logger, 'warn'>;
  readonly cost: number | undefined;
}

interface Found {
  readonly lock: Lock;
  /** Null of a vault that is not there yet. */
  readonly journal: Journal | null;
  readonly secrets: SecretMap;
  readonly isSure: boolean;
  readonly frames: number;
  readonly dead: number;
  /** Whether the next key opens it. */
  readonly isNext: boolean;
}

/** The secrets of a file vault, in memory and in their journal. One call at a time. Errors: VaultError, Node's own. */
export class FileVaultState {
  readonly #place: Place;
  readonly #log: Pick<Logger, 'warn'>;
  #lock: Lock;
  #journal: Journal | null;
  #secrets: SecretMap;
  /** Whether the journal is known to be what the disk has; else the next change writes another. */
  #isSure: boolean;
  #frames: number;
  /** Secrets in the journal that were replaced or deleted. */
  #dead: number;
  /** Whether the next key opens vault.json, or may, and is not in the place of vault.key yet. */
  #isNextDue: boolean;
  readonly #options: Options;

  private constructor(place: Place, options: Options, found: Found) {
    this.#place = place;
    this.#options = options;
    this.#log = options.log;
    this.#isNextDue = found.isNext;
    this.#lock = found.lock;
    this.#journal = found.journal;
    this.#secrets = found.secrets;
    this.#isSure = found.isSure;
    this.#frames = found.frames;
    this.#dead = found.dead;
  }

  static async open(place: Place, options: Options): Promise<FileVaultState> {
    const { passphrase, cost } = options;
    const found = (await find(place, passphrase)) ?? nothing(await newLock(place, passphrase, cost));
    const state = new FileVaultState(place, options, found);
    try {
      // A start that was killed may have put vault.json there without the disk knowing its name.
      await place.files.syncDirectory(place.directory);
      if (found.isNext) await state.#promote();
      if (passphrase && found.lock.opener.kind === 'key-file') {
        state.#lock = await newLock(place, passphrase, cost);
        await state.#startOver(state.#secrets);
      } else if (!found.journal) await state.#startOver(state.#secrets);
      else if (!found.isSure || found.dead > 0) await state.#tidy();
      await state.#removeLeftovers();
    } catch (error) {
      await state.#journal?.close();
      throw error;
    }
    return state;
  }

  get openedBy(): 'passphrase' | 'key-file' {
    return this.#lock.opener.kind;
  }

  /** Names of all secrets. */
  get names(): readonly string[] {
    return [...this.#secrets.keys()];
  }

  get(name: string): string | null {
    return this.#secrets.get(name) ?? null;
  }

  /** Makes changes; all of them are durable once it resolves, and none is seen before. */
  async write(changes: readonly Entry[]): Promise<void> {
    if (!this.#journal || !this.#isSure) {
      const next = new Map(this.#secrets);
      for (const change of changes) apply(next, change);
      return this.#startOver(next);
    }
    try {
      await this.#journal.add(entriesText(changes));
    } catch (error) {
      this.#isSure = false;
      throw error;
    }
    this.#frames++;
    for (const change of changes) this.#dead += apply(this.#secrets, change);
    if (this.#dead > SLACK + this.#secrets.size) await this.#tidy();
  }

  /** Resolves with the secrets on disk, opened as the next start opens them, whatever is in memory. */
  async readKept(): Promise<SecretMap> {
    const path = vaultPath(this.#place);
    const bytes = await readWhole(this.#place.files, path);
    if (!bytes) throw damaged(path, 'it is gone');
    const file = readVaultFile(bytes, path);
    const { opener, key } = this.#lock;
    // Stretching the passphrase once more would say nothing new: it is in memory, not on the disk.
    const isOwn = opener.kind === 'passphrase' && JSON.stringify(opener) === JSON.stringify(file.opener);
    const known = isOwn ? journalSecretOf(file, key) : null;
    const journalSecret = known ?? (await unlock(this.#place, file, this.#options.passphrase)).journalSecret;
    const { contents } = await Journal.read(this.#place, file.journal, journalSecret);
    return secretsIn(contents).secrets;
  }

  /**
   * Takes other keys: for what opens the vault, and for the journal, in which every secret is sealed anew. A crash leaves the
   * old ones or the new ones, and both open what they leave.
   */
  async rotate(): Promise<void> {
    // The next key must not be replaced while it may be the only one that opens vault.json.
    if (this.#isNextDue) await this.#startOver(this.#secrets);
    if (this.#isNextDue)
      throw new VaultError(
        'io',
        'The last rotation could not put vault-next.key in the place of vault.key yet; the log says why.',
      );
    const { opener } = this.#lock;
    if (opener.kind === 'key-file') {
      const key = await makeNextKey(this.#place.files, this.#place.directory);
      this.#lock = { opener, key };
      this.#isNextDue = true;
    } else {
      const { passphrase, cost } = this.#options;
      this.#lock = await newLock(this.#place, required(this.#place, passphrase), cost);
    }
    await this.#startOver(this.#secrets);
  }

  /** Closes the vault; deleted secrets are then in no file any more. */
  async close(): Promise<void> {
    if (!this.#isSure || this.#dead > 0 || this.#frames > SLACK) await this.#tidy();
    await this.#journal?.close();
  }

  /** Writes the journal anew where it can be; what it holds stands either way. */
  async #tidy(): Promise<void> {
    try {
      await this.#startOver(this.#secrets);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn(
        `The vault could not be written anew, so what was deleted from it stays sealed there for now: ${reason}`,
      );
    }
  }

  /** Puts the secrets into a journal with a key of its own, and makes that the one that counts. */
  async #startOver(secrets: SecretMap): Promise<void> {
    // Whatever fails from here on: vault.json may name either journal after a crash, so no change may go to the old one.
    this.#isSure = false;
    const contents = contentsOf(secrets);
    const next = await Journal.create(this.#place, contents);
    try {
      const text = vaultFileText(
        { opener: this.#lock.opener, journal: next.id },
        next.secret,
        this.#lock.key,
      );
      await writeAtomically(vaultPath(this.#place), text, { files: this.#place.files });
    } catch (error) {
      // It stays, since vault.json may name it now; a later start removes it where it does not.
      await next.close();
      throw error;
    }
    const old = this.#journal;
    this.#journal = next;
    this.#secrets = secrets;
    this.#isSure = true;
    this.#frames = contents.length;
    this.#dead = 0;
    if (this.#isNextDue) await this.#promote();
    try {
      await old?.erase();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn(`A journal of the vault that counts no more could not be erased: ${reason}`);
    }
  }

  /** vault.json is known to open with the next key: that becomes vault.key. Until it does, either is found. */
  async #promote(): Promise<void> {
    try {
      await promoteNextKey(this.#place.files, this.#place.directory);
      this.#isNextDue = false;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn(
        `${NEXT_KEY_FILE} opens the vault and could not take the place of ${KEY_FILE} yet: ${reason}`,
      );
    }
  }

  /** Removes what a crash left beside the vault. */
  async #removeLeftovers(): Promise<void> {
    const { files, directory } = this.#place;
    const nextKey = join(directory, NEXT_KEY_FILE);
    for (const path of [vaultPath(this.#place), join(directory, KEY_FILE), nextKey])
      await files.remove(temporaryName(path));
    if (!this.#isNextDue) await files.remove(nextKey);
    for (const { name } of await journalsIn(this.#place))
      if (!this.#journal || name !== journalName(this.#journal.id)) await files.remove(join(directory, name));
    if (this.openedBy === 'passphrase') await eraseKeyFile(files, directory);
  }
}

/** A vault that is not there yet. */
function nothing(lock: Lock): Found {
  return { lock, journal: null, secrets: new Map(), isSure: false, frames: 0, dead: 0, isNext: false };
}

/** The vault that the data folder has; null where it has none. */
async function find(place: Place, passphrase: string | null): Promise<Found | null> {
  const path = vaultPath(place);
  const bytes = await readWhole(place.files, path);
  if (!bytes) {
    await refuseJournals(place, path);
    return null;
  }
  const file = readVaultFile(bytes, path);
  const { lock, journalSecret, isNext } = await unlock(place, file, passphrase);
  const { journal, contents, isSure } = await Journal.open(place, file.journal, journalSecret);
  return { lock, journal, ...secretsIn(contents), isSure, frames: contents.length, isNext };
}

/** The secrets that a journal holds, and how many in it were replaced or deleted. */
function secretsIn(contents: readonly string[]): { readonly secrets: SecretMap; readonly dead: number } {
  const secrets: SecretMap = new Map();
  let dead = 0;
  for (const content of contents) for (const change of readEntries(content)) dead += apply(secrets, change);
  return { secrets, dead };
}

/** A journal whose vault.json is gone cannot be opened; only an empty one is what a first start may have left. */
async function refuseJournals(place: Place, path: string): Promise<void> {
  for (const { name, size } of await journalsIn(place))
    if (!isEmptyJournal(size))
      throw damaged(path, `it is gone, and without it nobody can open ${name} beside it`);
}

export async function journalsIn({ files, directory }: Place): Promise<{ name: string; size: number }[]> {
  const names = (await files.list(directory)).map(({ name }) => name);
  return names
    .filter((name) => JOURNAL_NAME.test(name))
    .map((name) => {
      const file = files.openForReading(join(directory, name));
      try {
        return { name, size: file.size };
      } finally {
        file.close();
      }
    });
}

function contentsOf(secrets: SecretMap): string[] {
  const all: Entry[] = [...secrets].map(([name, secret]) => ({ name, secret }));
  const contents: string[] = [];
  for (let at = 0; at < all.length; at += FRAME_ENTRIES)
    contents.push(entriesText(all.slice(at, at + FRAME_ENTRIES)));
  return contents;
}
