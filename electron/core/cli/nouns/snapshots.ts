import type { OutputOf } from '#shared/operations/index.ts';
import { countOf } from '#shared/values/counts.ts';
import { columns, nounCommand } from './noun-command.ts';

const ACCOUNT = { account: { type: 'string' } } as const;
const ACCOUNT_HELP = '  --account ID        another account than the default one';
const NAMES = { account_id: 'account', snapshot: 'NAME' };

export const save = nounCommand({
  word: 'a NAME',
  flags: ACCOUNT,
  help: `  NAME                what it is called from now on\n${ACCOUNT_HELP}`,
  example: 'snapshot save before-the-update',
  async run({ ask, word, values }) {
    const snapshot = await ask('snapshots.create', { name: word, ...accountIn(values) }, NAMES);
    return { data: snapshot, lines: [said('Saved', snapshot)] };
  },
});

const rowOf = ({ created_at, name, projects, devices, records }: Snapshot) => [
  created_at,
  ...[projects, devices, records].map(String),
  name,
];

export const list = nounCommand({
  flags: ACCOUNT,
  help: ACCOUNT_HELP,
  example: 'snapshot list',
  async run({ ask, values }) {
    const found = await ask('snapshots.list', accountIn(values), NAMES);
    return { data: found, lines: columns(found.map(rowOf)) };
  },
});

export const restore = nounCommand({
  word: 'the NAME of a snapshot',
  flags: ACCOUNT,
  help: `  NAME                as snapshot list says it; what came in since goes for good\n${ACCOUNT_HELP}`,
  example: 'snapshot restore baseline',
  async run({ ask, word, values }) {
    const snapshot = await ask('snapshots.restore', { snapshot: word, ...accountIn(values) }, NAMES);
    return { data: snapshot, lines: [said('As it was', snapshot)] };
  },
});

export const remove = nounCommand({
  word: 'the NAME of a snapshot',
  flags: ACCOUNT,
  help: `  NAME                as snapshot list says it\n${ACCOUNT_HELP}`,
  example: 'snapshot delete baseline',
  async run({ ask, word, values }) {
    const snapshot = await ask('snapshots.remove', { snapshot: word, ...accountIn(values) }, NAMES);
    return { data: snapshot, lines: [`Deleted the snapshot ${snapshot.name}.`] };
  },
});

type Snapshot = OutputOf<'snapshots.create'>;

const accountIn = ({ account }: { readonly account?: string | undefined }) =>
  account === undefined ? {} : { account_id: account };

const said = (what: string, { projects, devices, records }: Snapshot) =>
  `${what}: ${countOf(projects, 'project')}, ${countOf(devices, 'device')}, ${countOf(records, 'record')}.`;
