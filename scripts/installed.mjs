// npm run installed -- install | signature | test | update | uninstall: has what `npm run package` made as a person has it. Installs and removes
// Fieldbench on this very system.
import './lib/require-node.mjs';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { SYSTEMS, fileFor } from './installed/systems.mjs';
import { updateWhileItRuns } from './installed/update.mjs';
import { onDisplay } from './lib/electron.mjs';
import { npmCommand } from './lib/npm.mjs';
import { CACHE, CommandError, inProject, runMain } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { rootPrivilege } from './lib/system-packages.mjs';

/** Where a person's own files are while this looks after them: not those of whoever runs it. */
const PERSON = path.join(CACHE, 'installed');

/** @typedef {(system: import('./installed/systems.mjs').System) => Promise<void>} Step */

/** @type {Readonly<Record<string, Step>>} */
const STEPS = {
  async install(system) {
    checkSum(fileFor(system, inProject('dist')));
    await runAll(system.install(fileFor(system, inProject('dist')), await root()));
    console.log(`Installed: ${programOf(system)}`);
  },

  async signature(system) {
    const expected = process.env.FIELDBENCH_SIGNED === 'true';
    const said = await signatureOf(system);
    if (said === null && expected) throw new CommandError('it was to be signed, and is not.');
    const line =
      said ??
      'NOT SIGNED: there is no certificate, or packages of this system have none; SHA256SUMS is all there is.';
    console.log(line);
    const summary = process.env.GITHUB_STEP_SUMMARY;
    if (summary) appendFileSync(summary, `${process.platform} ${process.arch}: ${line}\n`);
  },

  async test(system) {
    const npm = npmCommand(process.env);
    const script = ['run', '--silent', 'test:e2e', '--', '--project=installed', ...process.argv.slice(3)];
    const [command, ...args] = onDisplay([npm.command, ...npm.args, ...script]);
    const env = { ...process.env, FIELDBENCH_INSTALLED: programOf(system) };
    const { code } = await run(command, args, { env });
    if (code !== 0) throw new CommandError('tests of what was installed failed.');
  },

  async update(system) {
    rmSync(PERSON, { recursive: true, force: true });
    const { env, data } = system.person(PERSON);
    const all = { ...process.env, ...env };
    const commands = system.install(fileFor(system, inProject('dist')), await root());
    const seen = await updateWhileItRuns({
      program: programOf(system),
      asked: system.asked,
      // An installer that asks a running app to stop does so as the person whose app it is.
      install: () => runAll(commands, system.asked === 'while' ? all : process.env),
      folder: PERSON,
      env: all,
    });
    console.log([...seen, `its data is in ${data}`].join('\n'));
  },

  async uninstall(system) {
    const program = programOf(system);
    await runAll(system.uninstall(await root()));
    if (existsSync(program)) throw new CommandError(`${program} is still there.`);
    const { data } = system.person(PERSON);
    console.log(`Gone: ${program}`);
    if (!existsSync(PERSON)) return;
    const left = existsSync(data) ? readdirSync(data) : [];
    if (!left.includes('metadata.json'))
      throw new CommandError(`data is gone: ${data} has ${left.join(', ') || 'nothing'}.`);
    console.log(`Stays: ${data} (${left.toSorted().join(', ')})`);
  },
};

await runMain(async () => {
  const system = SYSTEMS[process.platform];
  if (system === undefined) throw new CommandError(`there is no package for ${process.platform}.`);
  const step = STEPS[process.argv[2] ?? ''];
  if (step === undefined) throw new CommandError(`say one of ${Object.keys(STEPS).join(', ')}.`);
  await step(system);
  return 0;
});

/**
 * Throws CommandError where a file is not what its SHA256SUMS says.
 * @param {string} file
 */
function checkSum(file) {
  const sums = readFileSync(path.join(path.dirname(file), 'SHA256SUMS'), 'utf8');
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (!sums.split('\n').includes(`${sum}  ${path.basename(file)}`))
    throw new CommandError(`${file} is not what its SHA256SUMS says: it is ${sum}.`);
}

/**
 * What the system says of signatures that others trust; null where one of them is missing.
 * @param {import('./installed/systems.mjs').System} system
 */
async function signatureOf(system) {
  if (system.signature === null) return null;
  /** @type {string[]} */
  const all = [];
  for (const [command, ...args] of system.signature(programOf(system), fileFor(system, inProject('dist')))) {
    const { output } = await run(command, args, { output: 'quiet' });
    if (!system.signed.test(output)) return null;
    all.push(output.trim());
  }
  return all.join('\n');
}

/** @param {import('./installed/systems.mjs').System} system */
function programOf(system) {
  const program = system.program();
  if (program === '' || !existsSync(program))
    throw new CommandError('Fieldbench is not installed: npm run installed -- install.');
  return program;
}

async function root() {
  const privilege = process.platform === 'linux' ? await rootPrivilege() : [];
  if (privilege === null)
    throw new CommandError('only root may install a .deb, and sudo asks for a password here.');
  return privilege;
}

/**
 * @param {readonly import('./installed/systems.mjs').Command[]} commands
 * @param {NodeJS.ProcessEnv} [env]
 */
async function runAll(commands, env = process.env) {
  for (const [command, ...args] of commands) {
    const { code } = await run(command, args, { env });
    if (code !== 0) throw new CommandError(`${[command, ...args].join(' ')} ended with ${code}.`);
  }
}
