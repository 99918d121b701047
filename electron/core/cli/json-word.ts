import { text } from 'node:stream/consumers';
import { parseJson } from '#shared/values/json.ts';
import { UsageError } from '../base/errors.ts';
import { nodeFiles } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';

/** How help names it. */
export const JSON_WORD_HELP = 'as JSON; - for what comes in, or the JSON itself';

/**
 * Resolves with the JSON object that a word says: itself, the path of a file with it, or "-" for what comes in. `command` and `of`:
 * as in `faults set takes an object of seed and rules`. Rejects with UsageError.
 */
export async function objectOfWord(word: string, command: string, of: string): Promise<object> {
  const json = await read(word, command);
  let value: unknown;
  try {
    value = parseJson(json);
  } catch (error) {
    throw new UsageError(`${command} takes JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${command} takes an object of ${of}; ${word} has another value.`);
  return value;
}

async function read(word: string, command: string): Promise<string> {
  if (word === '-') return text(process.stdin);
  if (word.trimStart().startsWith('{')) return word;
  const bytes = await readWhole(nodeFiles, word).catch((error: Error) => {
    throw new UsageError(`${command} cannot read ${word}: ${error.message}.`);
  });
  if (bytes === null) throw new UsageError(`${command} takes a file, and there is no ${word}.`);
  return bytes.toString('utf8');
}
