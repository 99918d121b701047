import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { CACHE, CommandError, inProject } from './project.mjs';
import { run, searchPath, which } from './run.mjs';

/** @typedef {import('./run.mjs').Outcome} Outcome */

/**
 * Runs a script of package.json. npm puts node_modules/.bin first on PATH, so every tool runs with the pinned Node.
 * @param {string} script
 * @param {readonly string[]} [args] for the script
 * @param {import('./run.mjs').RunOptions} [options]
 * @returns {Promise<Outcome>}
 */
export function npmRun(script, args = [], options = {}) {
  const npm = npmCommand(process.env);
  const separated = args.length > 0 ? ['--', ...args] : [];
  return run(npm.command, [...npm.args, 'run', '--silent', script, ...separated], options);
}

/**
 * `npm ci`, run by a Node from outside node_modules, because that folder is deleted meanwhile.
 * @param {string} [node] that Node's program; the user's own by default
 * @returns {Promise<Outcome>}
 */
export function npmCi(node) {
  stepAside();
  return npmOutside(['ci'], node);
}

/**
 * Runs the install scripts of one package of node_modules, which `.npmrc` keeps back, and links its commands. What npm says is
 * shown where they fail.
 * @param {string} name
 * @param {string} [cwd] the folder of the project; this one's by default
 * @returns {Promise<Outcome>}
 */
export async function npmRebuild(name, cwd) {
  const args = ['rebuild', '--ignore-scripts=false', name];
  const outcome = await npmOutside(args, undefined, { output: 'quiet', ...(cwd !== undefined && { cwd }) });
  if (outcome.code !== 0) process.stderr.write(outcome.output);
  return outcome;
}

/**
 * @param {readonly string[]} args
 * @param {string} [node]
 * @param {import('./run.mjs').RunOptions} [options]
 */
function npmOutside(args, node, options) {
  const env = {
    ...startedBy(node, outsideEnvironment(process.env)),
    ...cacheWithoutHome(process.env),
  };
  const npm = npmCommand(env);
  // Warnings here are of other projects' making (tools that ask for the newer Node that this very command brings).
  return run(npm.command, [...npm.args, ...args, '--loglevel=error'], { ...options, env });
}

/**
 * A cache inside the project where the user's own cannot be written: a home that is not there, or read-only.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ npm_config_cache?: string }}
 */
export function cacheWithoutHome(env) {
  if (process.platform === 'win32') return {};
  const cache = env.npm_config_cache ?? path.join(env.HOME ?? '', '.npm');
  try {
    // npm makes the cache itself, in a folder that it can write to.
    accessSync(existsSync(cache) ? cache : path.dirname(cache), constants.W_OK);
    if (path.isAbsolute(cache)) return {};
  } catch {
    // Whatever the reason, npm would end with it.
  }
  return { npm_config_cache: path.join(CACHE, 'npm') };
}

/**
 * How to start npm: the one that runs us, else the one on PATH. Never through a shell, which would split paths at blanks.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ command: string, args: string[] }}
 */
export function npmCommand(env) {
  const node =
    [env.npm_node_execpath, process.execPath].find((file) => file !== undefined && existsSync(file)) ??
    'node';
  const cli = env.npm_execpath;
  if (cli !== undefined && path.basename(cli) === 'npm-cli.js' && existsSync(cli))
    return { command: node, args: [cli] };

  const npm = which('npm', env);
  if (npm === null) throw new CommandError('npm is not on PATH; it comes with Node: https://nodejs.org.');
  // Node starts .cmd files through a shell only (CVE-2024-27980); this one starts the script beside it.
  return path.extname(npm) === '.cmd'
    ? { command: node, args: [path.join(path.dirname(npm), 'node_modules', 'npm', 'bin', 'npm-cli.js')] }
    : { command: npm, args: [] };
}

/**
 * The environment without this project's own Node, and with the C headers of the other one named where they are installed:
 * a native module without a ready-made binary is then compiled without a download.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function outsideEnvironment(env) {
  const inside = inProject('node_modules') + path.sep;
  const folders = searchPath(env).filter((folder) => !(folder + path.sep).startsWith(inside));
  /** @type {NodeJS.ProcessEnv} */
  const result = { ...env, PATH: folders.join(path.delimiter) };
  delete result.Path; // Windows spells it so, and a copy of the environment tells the two apart
  const node = which('node', result);
  if (node === null) return { ...result, PATH: env.PATH ?? env.Path };

  if (env.npm_node_execpath?.startsWith(inside) ?? true) result.npm_node_execpath = node;
  const prefix = path.resolve(path.dirname(node), '..');
  if (
    env.npm_config_nodedir === undefined &&
    existsSync(path.join(prefix, 'include', 'node', 'node_api.h'))
  ) {
    result.npm_config_nodedir = prefix;
  }
  return result;
}

/**
 * The environment in which npm, and whatever it starts, runs with a certain Node.
 * @param {string | undefined} node its program; undefined changes nothing
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function startedBy(node, env) {
  if (node === undefined) return env;
  const folders = [path.dirname(node), ...searchPath(env)];
  return { ...env, PATH: folders.join(path.delimiter), npm_node_execpath: node };
}

/** Windows cannot delete a program that runs, but can rename it: when that is us, we leave node_modules first. */
function stepAside() {
  if (process.platform !== 'win32') return;
  mkdirSync(CACHE, { recursive: true });
  for (const name of readdirSync(CACHE).filter((entry) => entry.startsWith('node-in-use-'))) {
    try {
      rmSync(path.join(CACHE, name));
    } catch {
      // Its process still runs; a later setup removes it.
    }
  }
  if (process.execPath.startsWith(inProject('node_modules') + path.sep)) {
    renameSync(process.execPath, path.join(CACHE, `node-in-use-${process.pid}.exe`));
  }
}
