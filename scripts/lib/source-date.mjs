import { execFileSync } from 'node:child_process';
import { CommandError, ROOT } from './project.mjs';

/**
 * When the sources became what they are: the date of the commit, or what SOURCE_DATE_EPOCH says
 * (reproducible-builds.org/specs/source-date-epoch), so that two builds of one commit are the same. Throws CommandError where that is no number.
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [root] the project's folder
 * @returns {number | null} seconds since 1970; null without git or a commit, as of sources that came as an archive
 */
export function sourceDate(env = process.env, root = ROOT) {
  const named = env.SOURCE_DATE_EPOCH ?? '';
  if (named !== '') {
    if (!/^\d{1,10}$/.test(named))
      throw new CommandError(`SOURCE_DATE_EPOCH is seconds since 1970, as 1764150000; got "${named}".`);
    return Number(named);
  }
  try {
    const said = execFileSync('git', ['log', '-1', '--format=%ct'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return said.trim() === '' ? null : Number(said);
  } catch {
    // No git, no repository, or none that this user may read.
    return null;
  }
}

/**
 * @param {number | null} seconds since 1970
 * @returns {string | null} the day, in UTC, as 2026-11-26
 */
export const dayOf = (seconds) =>
  seconds === null ? null : new Date(seconds * 1000).toISOString().slice(0, 10);
