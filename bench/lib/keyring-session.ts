import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const NEEDED = { 'dbus-run-session': 'dbus', 'gnome-keyring-daemon': 'gnome-keyring' };

/** Why there can be no keyring apart from the user's own here; null where there can. */
export function whyNoKeyring(): string | null {
  if (process.platform !== 'linux') return 'only on Linux can there be a keychain apart from your own';
  const folders = (process.env.PATH ?? '').split(delimiter);
  const missing = Object.entries(NEEDED).filter(
    ([command]) => !folders.some((folder) => existsSync(join(folder, command))),
  );
  if (missing.length === 0) return null;
  const packages = missing.map(([, name]) => name).join(' ');
  return `${missing.map(([command]) => command).join(' and ')} not found (apt-get install ${packages})`;
}

/** Runs a program of bench/children in a session with a gnome-keyring of its own, in `home`; returns what it printed. */
export async function runInSession(name: string, args: readonly string[], home: string): Promise<string> {
  const runtime = join(home, 'runtime');
  await mkdir(runtime, { mode: 0o700 });
  // The daemon ends with its session bus, and that with the shell.
  const shell =
    'printf passphrase | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$@"';
  const script = join(import.meta.dirname, `../children/${name}.ts`);
  const { stdout } = await promisify(execFile)(
    'dbus-run-session',
    ['--', 'sh', '-c', shell, 'sh', process.execPath, script, ...args],
    { env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: home, TMPDIR: home, XDG_RUNTIME_DIR: runtime } },
  );
  return stdout;
}
