// npm run icons: draws the one icon.svg in the forms that each system takes. Needs Debian's librsvg2-bin, icoutils, icnsutils.
import '../scripts/lib/require-node.mjs';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError, inProject, runMain } from '../scripts/lib/project.mjs';
import { run } from '../scripts/lib/run.mjs';

const SVG = 'renderer/public/icon.svg';
/** Pixels of the pictures that icon themes of Linux have. */
const LINUX = [16, 32, 48, 64, 128, 256, 512];
/** Of Windows' icon and of a Mac's; the latter's sizes are those that png2icns knows. */
const [WINDOWS, MAC] = [
  [16, 24, 32, 48, 64],
  [16, 32, 48, 128, 256, 512, 1024],
];
const RESULTS = [
  'renderer/public/icon.png',
  'packaging/icons/icon.ico',
  'packaging/icons/icon.icns',
  ...LINUX.map((size) => `packaging/icons/${size}x${size}.png`),
];
/** Which drawing the files are of, and that they are as they were made: a test compares. */
const SUMS = 'packaging/icons/SHA256SUMS';

await runMain(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldbench-icons-'));
  /** @param {number} size */
  const drawn = (size) => path.join(folder, `${size}.png`);
  try {
    for (const size of new Set([...LINUX, ...WINDOWS, ...MAC]))
      await tool('rsvg-convert', ['-w', String(size), '-h', String(size), '-o', drawn(size), inProject(SVG)]);
    for (const size of LINUX) copyFileSync(drawn(size), inProject(`packaging/icons/${size}x${size}.png`));
    copyFileSync(drawn(256), inProject('renderer/public/icon.png'));
    // The largest as PNG, which Windows has read since Vista.
    const ico = [
      '-c',
      '-o',
      inProject('packaging/icons/icon.ico'),
      ...WINDOWS.map(drawn),
      `--raw=${drawn(256)}`,
    ];
    await tool('icotool', ico);
    await tool('png2icns', [inProject('packaging/icons/icon.icns'), ...MAC.map(drawn)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const sums = [SVG, ...RESULTS].map((file) => `${sha256(file)}  ${file}\n`);
  writeFileSync(inProject(SUMS), sums.join(''));
  return 0;
});

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
async function tool(program, args) {
  const { code, output } = await run(program, args, { output: 'quiet' });
  if (code !== 0) throw new CommandError(`${program} failed:\n${output.trim()}`);
}

/** @param {string} file in the project */
function sha256(file) {
  return createHash('sha256')
    .update(readFileSync(inProject(file)))
    .digest('hex');
}
