/*
 * Runs the vault's tests against a real gnome-keyring: in a D-Bus session of its own, with a home of its own, so that
 * the keyring of whoever runs it is never touched. Where there is none it says so and passes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const NEEDED = { 'dbus-run-session': 'dbus', 'gnome-keyring-daemon': 'gnome-keyring' };

const root = join(import.meta.dirname, '../..');
const reason = whyNot();
if (reason) {
  console.log(`skipped: keychain tests: ${reason}`);
} else {
  process.exitCode = runInSession();
}

function whyNot() {
  if (process.platform !== 'linux')
    return 'they would use your own keychain; only on Linux can they have one apart';
  const missing = Object.keys(NEEDED).filter((command) => !isInstalled(command));
  if (missing.length === 0) return null;
  const packages = missing.map((command) => NEEDED[command]).join(' ');
  return `${missing.join(' and ')} not found (Debian, Ubuntu: apt install ${packages})`;
}

function isInstalled(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)));
}

function runInSession() {
  const home = mkdtempSync(join(tmpdir(), 'fieldbench-keychain-'));
  const runtime = join(home, 'runtime');
  mkdirSync(runtime, { mode: 0o700 });
  // The daemon ends with its session bus, and that with the shell.
  const shell =
    'printf passphrase | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$@"';
  const vitest = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    join(import.meta.dirname, 'vitest.config.ts'),
  ];
  try {
    const { status, error } = spawnSync(
      'dbus-run-session',
      ['--', 'sh', '-c', shell, 'sh', process.execPath, ...vitest, ...process.argv.slice(2)],
      {
        cwd: root,
        stdio: 'inherit',
        env: {
          PATH: process.env.PATH,
          LANG: 'C.UTF-8',
          HOME: home,
          TMPDIR: home,
          XDG_RUNTIME_DIR: runtime,
        },
      },
    );
    if (error) throw error;
    return status ?? 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
