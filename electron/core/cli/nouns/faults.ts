import { text } from 'node:stream/consumers';
import type { InputOf } from '#shared/operations/index.ts';
import type { FaultsNow } from '#shared/operations/service/faults.ts';
import { countOf } from '#shared/values/counts.ts';
import { parseJson } from '#shared/values/json.ts';
import { UsageError } from '../../base/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { readWhole } from '../../disk/whole-file.ts';
import { columns, nounCommand } from './noun-command.ts';

const ACCOUNT = { account: { type: 'string' } } as const;
const ACCOUNT_HELP = '  --account ID        another account than the default one, or than that of the key';
const FLAGS = { account_id: 'account' };

export const show = nounCommand({
  flags: ACCOUNT,
  help: ACCOUNT_HELP,
  example: 'faults show',
  async run({ ask, values }) {
    const found = await ask('faults.get', ofAccount(values), FLAGS);
    return { data: found, lines: linesOf(found) };
  },
});

export const set = nounCommand({
  word: 'a FILE',
  flags: ACCOUNT,
  help: `  FILE                the body of PUT /_local/v1/faults (docs/rigs.md) as JSON; - for what comes in, or the JSON itself
${ACCOUNT_HELP}`,
  example: `faults set '{"rules": [{"match": {"operation": "ingest", "first": 1}, "do": {"status": 503}}]}'`,
  async run({ ask, word, values }) {
    const given = objectIn(await read(word), word);
    const input = { ...given, ...ofAccount(values) } as InputOf<'faults.set'>;
    const found = await ask('faults.set', input, FLAGS);
    return { data: found, lines: linesOf(found) };
  },
});

export const clear = nounCommand({
  flags: ACCOUNT,
  help: ACCOUNT_HELP,
  example: 'faults clear',
  async run({ ask, values }) {
    const ended = await ask('faults.clear', ofAccount(values), FLAGS);
    return { data: ended, lines: [`Ended: ${countOf(ended.rules.length, 'rule')}.`, ...rowsOf(ended)] };
  },
});

const ofAccount = ({ account }: { readonly account?: string | undefined }) =>
  account === undefined ? {} : { account_id: account };

/** Throws UsageError. */
async function read(word: string): Promise<string> {
  if (word === '-') return text(process.stdin);
  if (word.trimStart().startsWith('{')) return word;
  const bytes = await readWhole(nodeFiles, word).catch((error: Error) => {
    throw new UsageError(`faults set cannot read ${word}: ${error.message}.`);
  });
  if (bytes === null) throw new UsageError(`faults set takes a file, and there is no ${word}.`);
  return bytes.toString('utf8');
}

/** Throws UsageError. */
function objectIn(json: string, word: string): object {
  let value: unknown;
  try {
    value = parseJson(json);
  } catch (error) {
    throw new UsageError(`faults set takes JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`faults set takes an object of seed and rules; ${word} has another value.`);
  return value;
}

const linesOf = (found: FaultsNow): readonly string[] =>
  found.rules.length === 0 ? ['No faults are switched on.'] : rowsOf(found);

const rowsOf = ({ rules }: FaultsNow): readonly string[] =>
  columns(
    rules.map(({ name, match, do: does, seen, done }) => [
      name,
      `${done} of ${seen}`,
      JSON.stringify(match),
      JSON.stringify(does),
    ]),
  );
