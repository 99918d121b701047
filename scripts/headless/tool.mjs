import { CommandError } from '../lib/project.mjs';
import { run, which } from '../lib/run.mjs';

/**
 * Runs a program of the system, quietly. Throws CommandError where there is none, or with what it said where it fails.
 * @param {string} program
 * @param {readonly string[]} args
 */
export async function tool(program, args) {
  if (which(program) === null)
    throw new CommandError(`${program} is needed (Debian, Ubuntu: apt install binutils tar gzip).`);
  const { code, output } = await run(program, args, { output: 'quiet' });
  if (code !== 0) throw new CommandError(`${program} failed (${code}):\n${output.trim()}`);
}
