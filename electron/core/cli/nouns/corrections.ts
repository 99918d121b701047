import type { InputOf } from '#shared/operations/index.ts';
import type { CorrectionVersion, ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { UsageError } from '../../base/errors.ts';
import { SCOPE_FLAGS, SCOPE_FLAGS_HELP } from '../names/look-up.ts';
import { deviceOf } from './devices.ts';
import { JSON_WORD_HELP, objectOfWord } from '../json-word.ts';
import { columns, nounCommand } from './noun-command.ts';
import { REASON_FIELDS, REASON_FLAG, REASON_HELP, reasonOf } from './reason-flag.ts';

const ID = '4bdeaaa4-6a0f-4c39-8f7c-2f6a1d7b9c01';
const WORD = 'the ID of a correction';
const WORD_HELP = '  ID                  as corrections list says it';
const BODY = `the body of POST …/corrections (docs/local-api.md, "Corrections")`;

export const list = nounCommand({
  flags: SCOPE_FLAGS,
  help: SCOPE_FLAGS_HELP,
  example: 'corrections list --device ESP32',
  async run({ ask, names, values }) {
    const found = await ask('corrections.list', await deviceOf(names, values));
    return { data: found, lines: columns(found.map((each) => [each.id, each.kind, each.by, wordsOf(each)])) };
  },
});

export const create = nounCommand({
  word: 'a FILE',
  flags: { ...SCOPE_FLAGS, ...REASON_FLAG },
  help: `  FILE                ${BODY} ${JSON_WORD_HELP}
${REASON_HELP}
${SCOPE_FLAGS_HELP}`,
  example: `corrections create '{"kind": "calibration", "key": "temperature", "points": [[0, 0.4], [100, 99.8]]}' --device ESP32`,
  async run({ ask, names, word, values }) {
    const given = await objectOfWord(word, 'corrections create', 'kind and its fields');
    const of = await deviceOf(names, values);
    const input = { ...given, ...reasonOf(values), ...of } as InputOf<'corrections.create'>;
    const made = await ask('corrections.create', input, REASON_FIELDS);
    return { data: made, lines: [made.id] };
  },
});

export const change = nounCommand({
  word: WORD,
  flags: { ...SCOPE_FLAGS, ...REASON_FLAG, fields: { type: 'string' } },
  help: `${WORD_HELP}
  --fields FILE       those to change, ${JSON_WORD_HELP}; null takes one away
${REASON_HELP}
${SCOPE_FLAGS_HELP}`,
  example: `corrections change ${ID} --fields '{"reason": "door open"}' --device ESP32`,
  async run({ ask, names, word, values }) {
    if (values.fields === undefined) throw new UsageError('corrections change takes --fields.');
    const given = await objectOfWord(values.fields, 'corrections change --fields', 'the fields to change');
    const of = { ...(await deviceOf(names, values)), correction_id: word };
    const changed = await ask('corrections.update', { ...given, ...reasonOf(values), ...of }, REASON_FIELDS);
    return { data: changed, lines: [`Version ${changed.version}: ${wordsOf(changed)}`] };
  },
});

export const remove = nounCommand({
  word: WORD,
  flags: { ...SCOPE_FLAGS, ...REASON_FLAG },
  help: `${WORD_HELP}
${REASON_HELP}
${SCOPE_FLAGS_HELP}`,
  example: `corrections delete ${ID} --device ESP32`,
  async run({ ask, names, word, values }) {
    const of = { ...(await deviceOf(names, values)), correction_id: word };
    const gone = await ask('corrections.delete', { ...of, ...reasonOf(values) }, REASON_FIELDS);
    return { data: gone, lines: ['Deleted. It stays in the history.'] };
  },
});

export const history = nounCommand({
  flags: SCOPE_FLAGS,
  help: SCOPE_FLAGS_HELP,
  example: 'corrections history --device ESP32',
  async run({ ask, names, values }) {
    const found = await ask('corrections.history', await deviceOf(names, values));
    return { data: found, lines: columns(found.map(historyRow)) };
  },
});

const historyRow = ({ at, correction_id, version, act, by, kind, before, after }: CorrectionVersion) => [
  at,
  correction_id,
  `${version}`,
  act,
  by,
  `${kind}: ${wordsOf({ kind, ...(after ?? before) })}`,
];

type Words = Pick<ShownCorrection, 'kind'> & NonNullable<CorrectionVersion['after']>;

/** What a correction says, in a line. */
function wordsOf(given: Words): string {
  const { reason } = given;
  return `${saying(given)}${reason === undefined ? '' : ` (${reason})`}`;
}

function saying({ kind, from = '', to = '', ...fields }: Words): string {
  const span = from === '' && to === '' ? '' : `, ${from || 'the beginning'} to ${to || 'the end'}`;
  switch (kind) {
    case 'calibration': {
      const { key = '', points = [] } = fields;
      const how = 'gain' in points ? `× ${points.gain} + ${points.offset}` : JSON.stringify(points);
      return `${key} ${how}${span}`;
    }
    case 'quality':
      return `${fields.quality ?? ''} ${fields.keys?.join(', ') ?? 'all keys'}${span}`;
    case 'time':
      return `${fields.at ? JSON.stringify(fields.at) : `${(fields.shift_us ?? 0) / 1e6} s`}${span}`;
    case 'replaced':
      return `${fields.former_id ?? ''} until ${fields.until ?? ''}`;
    case 'derived':
      return `${fields.key ?? ''} = ${fields.of ?? ''}`;
  }
}
