import { createInterface } from 'node:readline/promises';
import { join } from 'node:path';
import { countOf } from '#shared/values/counts.ts';
import { errorCode } from '../disk/errors.ts';
import { nodeFiles } from '../disk/files.ts';
import { acquireLock, isLockFile } from '../disk/lock/lock.ts';
import { removeTree } from '../disk/tree.ts';
import { StartError, UsageError } from '../base/errors.ts';
import { isMetadata } from '../store/metadata/file/metadata-names.ts';
import { createKeychainVault } from '../vault/keychain-vault.ts';
import { openKeychain } from '../vault/keychain.ts';
import { eraseWhole } from '../vault/key-file.ts';
import { isSecretFile, removeSecrets } from '../vault/remove-secrets.ts';
import { dataDirectory } from './serve/configure.ts';
import type { ControlCommand } from './ask/control.ts';
import { profilesFolder } from './folders/app-folders.ts';
import { signOf } from './folders/data-directory.ts';
import { findLeftovers, type Leftovers } from './leftovers.ts';
import { givenPath, parseFlags } from './parse.ts';
import { CommandError } from './refusal.ts';

export const CLEAR_FLAGS_HELP = `  --data DIR          data directory (default: the per-user folder)
  --yes               removes it without a question
  --json              for machines, errors too; without --yes it only says what would go

  fieldbench clear --json`;

/** Resolves with whether a person who has read what would go says yes to a question. */
type Agree = (question: string) => Promise<boolean>;

/** `fieldbench clear`, which asks at the terminal. */
export const clear: ControlCommand = (args, output) => clearIf(atTerminal, args, output);

/**
 * Removes what stays when the app is uninstalled, for good: a data directory, what its secrets are in the
 * keychain, and what the app's window keeps for it. Says all of that before it asks. Resolves with 0, or 1 where nothing was removed. Throws
 * CommandError where a service uses the directory or the system refuses, and UsageError where it is none.
 */
export async function clearIf(agree: Agree, ...[args, output]: Parameters<ControlCommand>): Promise<number> {
  const flags = parseFlags(args, {
    data: { type: 'string' },
    yes: { type: 'boolean' },
    json: { type: 'boolean' },
  });
  const directory = dataDirectory(givenPath('data', flags.data));
  const unseen = 'Not all of it can be looked at, and nothing was removed';
  await sayWhy(unseen, () => refuseOthers(directory));
  const lock = await acquireLock(directory).catch((error: unknown) => {
    if (!(error instanceof StartError && error.code === 'locked')) throw error;
    throw new CommandError(3, `${error.message}\nStop it first, as with "fieldbench stop".`);
  });
  let removed = false;
  let found: Leftovers;
  try {
    found = await sayWhy(unseen, () => findLeftovers(directory));
    if (!flags.json) for (const line of linesOf(found)) output.print(line);
    removed = flags.yes ?? (flags.json ? false : await agree(questionOf(found)));
    if (removed) await sayWhy('Not all of it could be removed', () => remove(found));
  } finally {
    await lock.release();
  }
  if (removed && found.others.length === 0) await removeEmpty(directory, NOT_ITS_OWN);
  if (flags.json) output.print(JSON.stringify(told(found, removed)));
  else output.print(removed ? 'It is removed.' : 'Nothing was removed.');
  return removed ? 0 : 1;
}

/** Throws CommandError with the system's own words where it refuses. */
async function sayWhy<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    const isForbidden = ['EACCES', 'EPERM'].includes(errorCode(error) ?? '');
    const help = isForbidden ? ' Give this user the right to, or run it as another, and try again.' : '';
    throw new CommandError(1, `${what} (${error.message}).${help}`);
  }
}

async function refuseOthers(directory: string): Promise<void> {
  try {
    if ((await signOf(directory, nodeFiles)) !== 'none') return;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
  }
  throw new UsageError(
    `${directory} is no data directory of Fieldbench, and nothing in it was touched. Name one with --data DIR.`,
  );
}

/** In this order, so that what a failure leaves can be removed by the same command. */
async function remove({ directory, files, folders, app, keychain }: Leftovers): Promise<void> {
  if (keychain) {
    const vault = createKeychainVault(await openKeychain(), keychain.installation_id);
    await removeSecrets(vault, keychain.refs);
    await vault.close();
  }
  for (const { path } of app) await removeTree(nodeFiles, path);
  if (app.length > 0) await removeEmpty(profilesFolder(), [...NOT_ITS_OWN, 'ENOENT']);
  // The lock is this command's, and goes with it.
  const own = files.filter((name) => !isLockFile(name));
  for (const name of own.filter((each) => !isMetadata(each))) await removeFile(directory, name);
  for (const name of folders) await removeEmpty(join(directory, name));
  for (const name of own.filter(isMetadata)) await removeFile(directory, name);
}

const removeFile = (directory: string, name: string) =>
  isSecretFile(name)
    ? eraseWhole(nodeFiles, directory, join(directory, name))
    : nodeFiles.remove(join(directory, name));

/** Of a folder that somebody else made, such as one for a service's user, or that is a disk of its own: an empty one stays. */
const NOT_ITS_OWN = ['EACCES', 'EPERM', 'EBUSY'];

/** A service that has begun to use it since the lock went keeps it; where a link leads to it, the link and an empty folder stay. */
async function removeEmpty(directory: string, stays: readonly string[] = []): Promise<void> {
  try {
    await nodeFiles.removeDirectory(directory);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR', ...stays].includes(errorCode(error) ?? '')) throw error;
  }
}

const questionOf = ({ counts }: Leftovers) =>
  counts === null ? 'Remove it, whatever it holds?' : 'Remove all of it?';

/** Asks at the terminal; without one the answer is no. */
async function atTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`${question} Type "yes": `)).trim() === 'yes';
  } catch (error) {
    // Ctrl C and Ctrl D say no, too.
    if (errorCode(error) !== 'ABORT_ERR') throw error;
    process.stderr.write('\n');
    return false;
  } finally {
    terminal.close();
  }
}

function linesOf({ directory, counts, remarks, bytes, others, app, keychain }: Leftovers): string[] {
  const held = [
    ...(counts === null ? [] : [countOf(counts.projects, 'project'), countOf(counts.devices, 'device')]),
    countOf(bytes, 'byte'),
  ].join(', ');
  return [
    ...remarks,
    'This goes for good, and cannot be had back:',
    `  ${directory}: ${held}`,
    ...app.map((one) => `  ${one.path}: what the app’s window keeps, ${countOf(one.bytes, 'byte')}`),
    ...(keychain === null
      ? []
      : [`  keys and tokens in the keychain: items named "Fieldbench ${keychain.installation_id}"`]),
    ...(others.length === 0 ? [] : [`What is not Fieldbench’s stays in ${directory}: ${others.join(', ')}`]),
  ];
}

const told = ({ directory, counts, remarks, bytes, others, app, keychain }: Leftovers, removed: boolean) => ({
  removed,
  directory,
  projects: counts?.projects ?? null,
  devices: counts?.devices ?? null,
  bytes,
  app,
  keychain: keychain && `Fieldbench ${keychain.installation_id}`,
  remarks,
  left: others,
});
