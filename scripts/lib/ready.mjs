import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CACHE, CommandError } from './project.mjs';

const LOOK_EVERY_MS = 100;

/**
 * Runs something that writes a ready file, and says whether it ever did.
 * @template T
 * @param {readonly string[]} flags its flags; where they name no ready file, it is given one
 * @param {(flags: readonly string[]) => Promise<T>} work
 * @param {() => void} [onReady] called once, when the service listens
 * @returns {Promise<{ result: T, wasReady: boolean }>}
 */
export async function watchReady(flags, work, onReady = () => {}) {
  const folder = makeTemporary([tmpdir(), CACHE]);
  const asked = valueOf(flags, '--ready-file');
  const readyFile = asked ?? path.join(folder, 'ready.json');
  // One that a killed service left behind stays until the new one has come to removing it.
  const left = readyPid(readyFile);
  let wasReady = false;
  const look = () => {
    const pid = readyPid(readyFile);
    if (wasReady || pid === null || pid === left) return;
    wasReady = true;
    onReady();
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  try {
    const result = await work(asked === undefined ? [...flags, '--ready-file', readyFile] : flags);
    look();
    return { result, wasReady };
  } finally {
    clearInterval(timer);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes a folder of our own in the first of these that takes one.
 * @param {readonly string[]} parents
 * @returns {string}
 */
export function makeTemporary(parents) {
  /** @type {unknown[]} */
  const reasons = [];
  for (const parent of parents) {
    try {
      mkdirSync(parent, { recursive: true });
      return mkdtempSync(path.join(parent, 'fieldbench-start-'));
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : error);
    }
  }
  throw new CommandError(
    `there is no folder for temporary files (${reasons.join('; ')}): set TMPDIR to one that can be written to.`,
  );
}

/**
 * @param {string} file
 * @returns {number | null} null until the service has written it
 */
function readyPid(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).pid;
  } catch {
    return null;
  }
}

/**
 * @param {readonly string[]} flags "--name value" or "--name=value"
 * @param {string} name
 * @returns {string | undefined} the last one given
 */
export function valueOf(flags, name) {
  /** @type {string | undefined} */
  let value;
  flags.forEach((flag, index) => {
    if (flag === name) value = flags[index + 1];
    else if (flag.startsWith(`${name}=`)) value = flag.slice(name.length + 1);
  });
  return value;
}
