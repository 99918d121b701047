import { mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../../scripts/lib/project.mjs';
import { which } from '../../scripts/lib/run.mjs';
import { packTarGz, writeSums } from '../archives.mjs';
import { APP } from '../identity.mjs';
import { writeSbom } from '../sbom.mjs';
import { layOut } from './tree.mjs';

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
  const lacking = ['strip', 'tar', 'gzip'].find((program) => which(program) === null);
  if (lacking !== undefined)
    throw new CommandError(`${lacking} is needed (Debian, Ubuntu: apt install binutils tar gzip).`);
  const work = path.join(output, '.work');
  const file = path.join(output, `${name}.tar.gz`);
  mkdirSync(output, { recursive: true });
  try {
    await layOut(path.join(work, name), { version });
    // -9 takes three times as long for half a per cent.
    await packTarGz({ file, work, name, date, level: 6 });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const { size } = statSync(file);
  if (size > MOST_BYTES)
    throw new CommandError(
      `${file} has ${size} bytes, and may have ${MOST_BYTES} (packaging/headless/make.mjs).`,
    );
  return file;
}

/**
 * Makes the same with a list of what is in it beside it, and the checksums of all that lies there. Throws CommandError.
 * @param {{ output: string, version: string, date: number }} options as makeHeadless'
 * @returns {Promise<string[]>} their paths
 */
export async function releaseHeadless(options) {
  const { output, date } = options;
  const file = await makeHeadless(options);
  const contents = await writeSbom({ output, date, name: `${APP.name}-service`, runtime: 'node' });
  await writeSums(output);
  return [file, contents, path.join(output, 'SHA256SUMS')];
}
