import type { InputOf } from '#shared/operations/index.ts';
import type { FaultsNow } from '#shared/operations/service/faults.ts';
import { countOf } from '#shared/values/counts.ts';
import { JSON_WORD_HELP, objectOfWord } from '../json-word.ts';
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
  help: `  FILE                the body of PUT /_local/v1/faults (docs/rigs.md) ${JSON_WORD_HELP}
${ACCOUNT_HELP}`,
  example: `faults set '{"rules": [{"match": {"operation": "ingest", "first": 1}, "do": {"status": 503}}]}'`,
  async run({ ask, word, values }) {
    const given = await objectOfWord(word, 'faults set', 'seed and rules');
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
