import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium } from './chromium.mjs';
import { run, which } from './run.mjs';

/** @typedef {'apt' | 'dnf' | 'pacman' | 'zypper'} Manager */
/** @typedef {'run' | 'build' | 'test'} Purpose */

/**
 * @typedef {object} Need
 * @property {Purpose} purpose to run the app, to compile keytar, or to run the tests
 * @property {() => boolean} present looks for files and commands: quicker than asking a package database, and true on every system
 * @property {Record<Manager, string>} packages
 */

const LIBRARY_FOLDERS = [
  '/usr/lib',
  '/usr/lib64',
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib/arm-linux-gnueabihf',
];

// Whose Chromium is a snap, which its package of another name brings.
const isUbuntu = () => isSystem('ubuntu');

/** @param {string} id of os-release */
const isSystem = (id) =>
  existsSync('/etc/os-release') && readFileSync('/etc/os-release', 'utf8').split('\n').includes(`ID=${id}`);

/** Debian packages the headless shell, which specs are quicker in, apart from the browser: it is missing beside that, too. */
const hasTestBrowser = () =>
  process.env.FIELDBENCH_CHROMIUM !== undefined || !isSystem('debian')
    ? findChromium() !== null
    : which('chromium-headless-shell') !== null;

/** @param {string} name */
const library = (name) => () => LIBRARY_FOLDERS.some((folder) => existsSync(`${folder}/${name}`));
/** @param {string} name */
const pythonModule = (name) => () =>
  readdirSync('/usr/lib').some(
    (folder) =>
      folder.startsWith('python3') &&
      ['dist-packages', 'site-packages'].some((kind) => existsSync(`/usr/lib/${folder}/${kind}/${name}`)),
  );
/** @param {string} name */
const command = (name) => () => which(name) !== null;
/**
 * @param {Purpose} purpose
 * @param {() => boolean} present
 * @param {string} apt
 * @param {string} [dnf]
 * @param {string} [pacman]
 * @param {string} [zypper] where a name is left out, it is the one before
 * @returns {Need}
 */
const need = (purpose, present, apt, dnf = apt, pacman = dnf, zypper = dnf) => ({
  purpose,
  present,
  packages: { apt, dnf, pacman, zypper },
});

/** What a bare Linux may lack. macOS and Windows have a keychain, and ready-made keytar binaries. */
const LINUX_NEEDS = [
  need('run', library('libsecret-1.so.0'), 'libsecret-1-0', 'libsecret', 'libsecret', 'libsecret-1-0'),
  need(
    'build',
    () => existsSync('/usr/include/libsecret-1'),
    'libsecret-1-dev',
    'libsecret-devel',
    'libsecret',
    'libsecret-devel',
  ),
  need('build', command('pkg-config'), 'pkg-config', 'pkgconf-pkg-config', 'pkgconf', 'pkg-config'),
  need('build', command('python3'), 'python3', 'python3', 'python'),
  need('build', command('make'), 'make'),
  need('build', command('g++'), 'g++', 'gcc-c++', 'gcc', 'gcc-c++'),
  need('test', hasTestBrowser, isUbuntu() ? 'chromium-browser' : 'chromium-headless-shell', 'chromium'),
  need(
    'test',
    () => existsSync('/usr/share/fonts'),
    'fonts-liberation',
    'liberation-fonts',
    'ttf-liberation',
    'liberation-fonts',
  ),
  need('test', command('dbus-run-session'), 'dbus', 'dbus-daemon', 'dbus', 'dbus-1-daemon'),
  need('test', command('gnome-keyring-daemon'), 'gnome-keyring'),
  need('test', command('xvfb-run'), 'xvfb', 'xorg-x11-server-Xvfb', 'xorg-server-xvfb', 'xvfb-run'),
  need('test', command('xauth'), 'xauth', 'xorg-x11-xauth', 'xorg-xauth', 'xauth'),
  need('test', command('curl'), 'curl'),
  need('test', command('openssl'), 'openssl'),
  // No broker: Debian's starts at once and takes the port that Fieldbench's MQTT door has.
  need('test', command('mosquitto_pub'), 'mosquitto-clients', 'mosquitto', 'mosquitto', 'mosquitto-clients'),
  need(
    'test',
    () => existsSync('/usr/include/mosquitto.h'),
    'libmosquitto-dev',
    'mosquitto-devel',
    'mosquitto',
    'mosquitto-devel',
  ),
  need('test', command('g++'), 'g++', 'gcc-c++', 'gcc', 'gcc-c++'),
  // What packages are described and made by.
  need('test', command('desktop-file-validate'), 'desktop-file-utils'),
  need('test', command('appstreamcli'), 'appstream', 'appstream', 'appstream', 'AppStream'),
  need('test', command('makensis'), 'nsis', 'mingw32-nsis', 'nsis', 'mingw32-cross-nsis'),
  // Debian starts balancers and its PostgreSQL at once and at each boot, on their usual ports: they are installed where no init system
  // would, such as in a container. Elsewhere tests say that they lack them.
  ...(existsSync('/run/systemd/system')
    ? []
    : [
        need(
          'test',
          () => !existsSync('/etc/debian_version') || existsSync('/usr/lib/postgresql'),
          'postgresql',
        ),
        need('test', command('haproxy'), 'haproxy'),
        need('test', command('nginx'), 'nginx-light', 'nginx', 'nginx', 'nginx'),
        need(
          'test',
          () => existsSync('/usr/lib/nginx/modules/ngx_stream_module.so'),
          'libnginx-mod-stream',
          'nginx-mod-stream',
          'nginx-mod-stream',
          'nginx',
        ),
      ]),
  // What the examples of docs/ci.md use; a Java for them alone would be large.
  need('test', pythonModule('pytest'), 'python3-pytest', 'python3-pytest', 'python-pytest', 'python3-pytest'),
  need(
    'test',
    pythonModule('requests'),
    'python3-requests',
    'python3-requests',
    'python-requests',
    'python3-requests',
  ),
  ...(existsSync('/etc/debian_version') && which('javac') !== null
    ? [need('test', () => existsSync('/usr/share/java/junit-platform-console.jar'), 'junit5')]
    : []),
  need('test', pythonModule('paho'), 'python3-paho-mqtt', 'python3-paho-mqtt', 'python-paho-mqtt'),
];

const MANAGERS = /** @type {const} */ ([
  { name: 'apt', program: 'apt-get', install: 'apt-get install' },
  { name: 'dnf', program: 'dnf', install: 'dnf install' },
  { name: 'pacman', program: 'pacman', install: 'pacman -S' },
  { name: 'zypper', program: 'zypper', install: 'zypper install' },
]);

/**
 * What is missing to compile keytar, in Debian's names.
 * @returns {string}
 */
export const lackingForKeytar = () =>
  process.platform === 'linux'
    ? packageNames(
        LINUX_NEEDS.filter(({ purpose, present }) => purpose === 'build' && !present()),
        'apt',
      ).join(' ')
    : '';

/** What works without a package; the tests need theirs. */
const WITHOUT = {
  run: 'without it secrets are kept in a file instead of the keychain',
  build: 'without them secrets are kept in a file instead of the keychain',
  test: 'only the tests need them',
};

/**
 * Installs what is missing where that may be done without asking (Debian and Ubuntu, as root or with a sudo that asks nothing);
 * elsewhere names it in one command for an administrator. Never fails: what then still lacks says so where it is used.
 * @param {readonly Purpose[]} purposes
 */
export async function provideSystemPackages(purposes) {
  if (process.platform !== 'linux') return nameChromium(purposes);
  const missing = LINUX_NEEDS.filter(({ purpose, present }) => purposes.includes(purpose) && !present());
  if (missing.length === 0) return;

  const manager = MANAGERS.find(({ program }) => which(program) !== null);
  const privilege = manager?.name === 'apt' ? await rootPrivilege() : null;
  if (privilege !== null) await aptInstall(packageNames(missing, 'apt'), privilege);

  const still = missing.filter(({ present }) => !present());
  if (still.length > 0) console.warn(missingLine(still, manager ?? null));
}

/**
 * @param {readonly Need[]} missing
 * @param {{ name: Manager, install: string } | null} manager null where none is known here
 * @returns {string} one line, with what an administrator has to run
 */
export function missingLine(missing, manager) {
  const names = packageNames(missing, manager?.name ?? 'apt').join(' ');
  const [purpose = 'run'] = ['test', 'build', 'run'].filter((one) =>
    missing.every((lacking) => lacking.purpose === one),
  );
  const why = WITHOUT[/** @type {Purpose} */ (purpose)];
  return manager === null
    ? `Missing system packages (Debian's names): ${names} (${why}).`
    : `Missing system packages; an administrator can install them (${why}): sudo ${manager.install} ${names}`;
}

/**
 * @param {readonly Need[]} needs
 * @param {Manager} manager
 * @returns {string[]} each name once
 */
export const packageNames = (needs, manager) => [...new Set(needs.map(({ packages }) => packages[manager]))];

/** @param {readonly Purpose[]} purposes */
function nameChromium(purposes) {
  if (!purposes.includes('test') || findChromium() !== null) return;
  const how = process.platform === 'darwin' ? 'brew install --cask chromium' : 'winget install Google.Chrome';
  console.warn(`The tests need Chromium or Chrome: ${how}, or name one in FIELDBENCH_CHROMIUM.`);
}

/**
 * What to put before a command to run it as root without a question.
 * @returns {Promise<string[] | null>} null when that is not possible
 */
export async function rootPrivilege() {
  if (process.getuid?.() === 0) return [];
  if (which('sudo') === null) return null;
  const { code } = await run('sudo', ['-n', 'true'], { output: 'quiet' });
  return code === 0 ? ['sudo', '-n'] : null;
}

// Without a terminal of its own; another apt at work is waited for, in seconds.
const APT_OPTIONS = ['-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=120'];

/**
 * @param {readonly string[]} names
 * @param {readonly string[]} privilege
 */
async function aptInstall(names, privilege) {
  console.log(`Installing system packages: ${names.join(' ')}`);
  const [program = '', ...before] = [
    ...privilege,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    '-qq',
    ...APT_OPTIONS,
  ];
  /** @param {string[]} args */
  const apt = async (...args) => (await run(program, [...before, ...args])).code === 0;
  /** @param {readonly string[]} some */
  const install = (some) => apt('install', '--yes', '--no-install-recommends', ...some);

  if ((await apt('update')) && (await install(names))) return;
  // The wait does not cover the lock of the package lists. One by one, a package that cannot be had keeps no other out.
  await sleep(5000);
  await apt('update');
  for (const name of names) await install([name]);
}
