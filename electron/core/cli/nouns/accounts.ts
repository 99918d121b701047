import type { Held } from '#shared/operations/metadata/accounts.ts';
import { countOf } from '#shared/values/counts.ts';
import { UsageError } from '../../base/errors.ts';
import { oneOf } from '../parse.ts';
import { columns, nounCommand } from './noun-command.ts';

export const list = nounCommand({
  flags: {},
  help: '',
  example: 'accounts list',
  async run({ ask }) {
    const found = await ask('accounts.list', {});
    return { data: found, lines: columns(found.map(({ id, created_at, name }) => [id, created_at, name])) };
  },
});

export const create = nounCommand({
  word: 'a NAME',
  flags: {},
  help: '  NAME                what it is called',
  example: 'accounts create "Suite 1"',
  async run({ ask, word }) {
    const account = await ask('accounts.create', { name: word });
    return { data: account, lines: [account.id, account.api_key] };
  },
});

const FOR_GOOD = { yes: { type: 'boolean' } } as const;
const FOR_GOOD_HELP = '  --yes               it goes for good: nothing of it can be undone';

export const remove = nounCommand({
  word: 'the ID of an account',
  flags: FOR_GOOD,
  help: `  ID                  as accounts list says it\n${FOR_GOOD_HELP}`,
  example: 'accounts delete 4bdeaaa4-6a0f-4c39-8f7c-2f6a1d7b9c01 --yes',
  async run({ ask, word, values }) {
    requireYes('accounts delete removes an account with all that it has', values);
    const removed = await ask('accounts.remove', { account_id: word });
    return { data: removed, lines: [goneLine(removed.deleted)] };
  },
});

export const reset = nounCommand({
  flags: { ...FOR_GOOD, to: { type: 'string' }, account: { type: 'string' } },
  help: `  --to empty|seed     what stays: nothing but API keys, or what the seed file makes anew (empty)
  --account ID        another account than the default one
${FOR_GOOD_HELP}`,
  example: 'reset --to empty --yes',
  async run({ ask, values }) {
    const { account } = values;
    const to = oneOf('to', values.to ?? 'empty', ['empty', 'seed']);
    requireYes('reset removes all projects, devices and records of an account', values);
    const gone = await ask(
      'accounts.reset',
      { to, ...(account !== undefined && { account_id: account }) },
      { to: 'to', account_id: 'account' },
    );
    return { data: gone, lines: [goneLine(gone)] };
  },
});

function requireYes(what: string, { yes }: { readonly yes?: boolean | undefined }): void {
  if (yes !== true) throw new UsageError(`${what}, for good: say --yes if that is meant.`);
}

const goneLine = ({ projects, devices, records }: Held) =>
  `Gone for good: ${countOf(projects, 'project')}, ${countOf(devices, 'device')}, ${countOf(records, 'record')}.`;
