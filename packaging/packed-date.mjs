import { CommandError } from '../scripts/lib/project.mjs';
import { sourceDate } from '../scripts/lib/source-date.mjs';

/**
 * The date of what is packed, that of the sources. Throws CommandError where nothing says it.
 * @returns {number} seconds since 1970
 */
export function packedDate() {
  const date = sourceDate();
  if (date === null)
    throw new CommandError(
      'there is no commit to take the date of: say it in SOURCE_DATE_EPOCH, in seconds since 1970.',
    );
  return date;
}
