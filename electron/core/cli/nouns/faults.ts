import type { InputOf } from '#shared/operations/index.ts';
import type { FaultsNow } from '#shared/operations/service/faults.ts';
import { parseJson } from '#shared/values/json.ts';
import { nodeFiles } from '../../disk/files.ts';
import { readWhole } from '../../disk/whole-file.ts';
import { CommandError, UsageError } from '../../base/errors.ts';
import { columns, nounCommand } from './noun-command.ts';

const ACCOUNT = { account: { type: 'string' } } as const;
const ACCOUNT_HELP = '  --account ID        another account than that of the key, or than the default one';

export const show = nounCommand({
  flags: ACCOUNT,
  help: ACCOUNT_HELP,
  example: 'faults show',
  async run({ ask, values: { account } }) {
    const found = await ask('faults.get', ofAccount(account), { account_id: 'account' });
    return { data: found, lines: linesOf(found) };
  },
});
