import { mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../lib/project.mjs';
import { layOut } from './tree.mjs';
import { tool } from './tool.mjs';

/** Bytes of the file: it is copied to rigs over what they have. */
export const MOST_BYTES = 45e6;

/**
 * Makes the service without a window as one file: a .tar.gz with one folder in it. The same sources give the same bytes: sorted,
 * one date, nobody's names. Throws CommandError.
 * @param {{ output: string, version: string, date: number }} options output: a folder; date: seconds since 1970
 * @returns {Promise<string>} its path
 */
export async function makeHeadless({ output, version, date }) {
  const name = `fieldbench-service-${version}-linux-${process.arch}`;
  const work = path.join(output, '.work');
  const file = path.join(output, `${name}.tar.gz`);
  mkdirSync(output, { recursive: true });
  try {
    await layOut(path.join(work, name), { version });
    const same = [
      '--sort=name',
      `--mtime=@${date}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--format=gnu',
    ];
    // -n: without the name and the date of a file that there is not. -9 takes three times as long for half a per cent.
    const packed = ['--use-compress-program', 'gzip -6n'];
    await tool('tar', ['--create', '--file', file, '--directory', work, ...same, ...packed, name]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const { size } = statSync(file);
  if (size > MOST_BYTES)
    throw new CommandError(
      `${file} has ${size} bytes, and may have ${MOST_BYTES} (scripts/headless/make.mjs).`,
    );
  return file;
}
