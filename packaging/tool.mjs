import { CommandError } from '../scripts/lib/project.mjs';
import { run } from '../scripts/lib/run.mjs';

/**
 * Runs a tool of the system, quietly. Throws CommandError with what it said where it fails.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('../scripts/lib/run.mjs').RunOptions} [options]
 * @returns {Promise<string>} what it said
 */
export async function tool(program, args, options = {}) {
  const { code, output } = await run(program, args, { ...options, output: 'quiet' });
  if (code !== 0) throw new CommandError(`${program} failed (${code}):\n${output.trim()}`);
  return output;
}
