import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeTree } from '../../packaging/tree.mjs';
import { provideBuild } from '../../scripts/lib/setup.mjs';

/** The processor that packages are made for here. */
export const PROCESSOR = process.arch === 'arm64' ? 'arm64' : 'x64';

const run = promisify(execFile);

const STAND_IN = join(import.meta.dirname, '../electron-stand-in');

/** What the fuse step looks for in a program, the wire's version and length, and eight fuses, all of them on. */
const FUSES = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 8]),
  Buffer.from('11111111'),
]);

/**
 * The words of a program that runs, in place of Electron, an app's archive on the stand-in. What it takes is named by variables, so
 * that the same packed file runs where neither this project nor its Node is.
 */
const SCRIPT = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export FIELDBENCH_STAND_IN="packaged $FIELDBENCH_STAND_IN"
export FIELDBENCH_STAND_IN_PROGRAM="$here/$(basename "$(readlink -f "$0")")"
stand_in="\${FIELDBENCH_STAND_IN_FOLDER:-${STAND_IN}}"
exec "\${FIELDBENCH_STAND_IN_NODE:-${process.execPath}}" --import "$stand_in/asar.ts" "$stand_in/run.ts" \\
  "$here/resources/app.asar/out/main/main.js" "$@"
`;

/** As Chromium has them (tools/licenses/templates). */
const CREDITS =
  '<!doctype html><body><div class="product"><span class="title">A library</span><div class="license"><pre>Copyright of &lt;a library&gt; &amp; others\n</pre></div></div></body>\n';

/** Makes a folder that looks like Electron's unpacked runtime on Linux. */
export async function makeRuntime(folder: string): Promise<string> {
  await mkdir(join(folder, 'resources'), { recursive: true });
  await mkdir(join(folder, 'locales'));
  await writeFile(join(folder, 'electron'), Buffer.concat([Buffer.from(`${SCRIPT}exit\n`), FUSES]), {
    mode: 0o755,
  });
  await writeFile(join(folder, 'LICENSES.chromium.html'), CREDITS);
  for (const name of ['LICENSE', 'version', 'resources/default_app.asar', 'icudtl.dat'])
    await writeFile(join(folder, name), `${name} of the stand-in\n`);
  for (const language of ['de', 'en-US'])
    await writeFile(join(folder, 'locales', `${language}.pak`), language);
  await writeFile(join(folder, 'chrome-sandbox'), '', { mode: 0o755 });
  await chmod(join(folder, 'chrome-sandbox'), 0o4755);
  return folder;
}

/** The same of Windows': its program is made by makensis, and ends at once (stub.nsi). */
export async function makeWindowsRuntime(folder: string): Promise<string> {
  await makeRuntime(folder);
  await rm(join(folder, 'electron'));
  await rm(join(folder, 'chrome-sandbox'));
  const program = join(folder, 'electron.exe');
  await run('makensis', ['-V1', `-DOUTPUT=${program}`, join(import.meta.dirname, 'stub.nsi')]);
  await appendFile(program, FUSES);
  return folder;
}

/** The keys of a Mac's bundle that electron-builder reads. */
const plist = (executable: string) => `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>CFBundleExecutable</key><string>${executable}</string>
<key>CFBundleIconFile</key><string>electron.icns</string>
</dict></plist>
`;

/** The same of a Mac's: the bundle, its framework, which has the fuses, and its helpers. Nothing of it runs. */
export async function makeMacRuntime(folder: string): Promise<string> {
  const contents = join(folder, 'Electron.app/Contents');
  const framework = join(contents, 'Frameworks/Electron Framework.framework');
  for (const place of [contents, join(framework, 'Versions/A')])
    for (const language of ['de', 'en']) {
      await mkdir(join(place, `Resources/${language}.lproj`), { recursive: true });
      await writeFile(join(place, `Resources/${language}.lproj/locale.pak`), language);
    }
  for (const name of ['electron.icns', 'default_app.asar'])
    await writeFile(join(contents, 'Resources', name), `${name} of the stand-in\n`);
  await writeFile(join(framework, 'Electron Framework'), FUSES);
  const helpers = ['', ' (GPU)', ' (Plugin)', ' (Renderer)'].map((kind) => `Electron Helper${kind}`);
  for (const [name, place] of [
    ['Electron', contents],
    ...helpers.map((helper) => [helper, join(contents, `Frameworks/${helper}.app/Contents`)] as const),
  ] as const) {
    await mkdir(join(place, 'MacOS'), { recursive: true });
    await writeFile(join(place, 'Info.plist'), plist(name));
    await writeFile(join(place, 'MacOS', name), '', { mode: 0o755 });
  }
  await writeFile(join(folder, 'LICENSES.chromium.html'), CREDITS);
  for (const name of ['LICENSE', 'version']) await writeFile(join(folder, name), `${name} of the stand-in\n`);
  return folder;
}

/** Makes the folder of an installed app of this system, below another one that every user may enter. */
export async function makePackedTree(folder: string): Promise<string> {
  await chmod(folder, 0o755);
  await provideBuild();
  const electronDist = await makeRuntime(join(folder, 'runtime'));
  const { folder: tree } = await makeTree(
    { system: 'linux', processor: PROCESSOR },
    { work: join(folder, 'work'), electronDist },
  );
  return tree;
}

export const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
