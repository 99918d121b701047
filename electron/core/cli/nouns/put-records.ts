import { countOf } from '#shared/values/counts.ts';
import { parseJson } from '#shared/values/json.ts';
import { UnreachableError, UsageError } from '../../base/errors.ts';
import { systemRandom } from '../../base/system-random.ts';
import { openDoor, unanswered } from '../../remote/device-door/open-door.ts';
import { SCOPE_FLAGS, SCOPE_FLAGS_HELP } from '../names/look-up.ts';
import { readInput } from '../read-input.ts';
import { CommandError } from '../refusal.ts';
import { deviceOf } from './devices.ts';
import { nounCommand } from './noun-command.ts';

/** Names of files whose lines are records. */
const LINES = /\.(?:ndjson|jsonl)$/i;

/** `fieldbench records put`: sends a payload as the device does, to the door of its source, with its token. */
export const recordsPut = nounCommand({
  word: 'JSON',
  isWordOptional: true,
  flags: { ...SCOPE_FLAGS, file: { type: 'string' }, ndjson: { type: 'boolean' } },
  help: `  JSON                a record, or an array of them, as the device would send it (what stdin has)
${SCOPE_FLAGS_HELP}
  --file F            the payload is in this file; - is stdin
  --ndjson            it is NDJSON, as of a file called .ndjson or .jsonl`,
  example: `records put '{"temperature": 21.5}' --device ESP32`,
  async run({ ask, asker, names, word, values }) {
    const { file, ndjson = false } = values;
    if (word !== '' && file !== undefined)
      throw new UsageError('--file is in place of JSON: leave one of them away.');
    const of = await deviceOf(names, values);
    const { device_id } = of;
    const { source } = await ask('devices.summary', of);
    const { device_token: token } = (await ask('devices.get', of)).device_credentials;
    if (token === '')
      throw new CommandError(
        1,
        'The token of this device can no longer be read, so nothing can be sent with it: devices token --renew gives it another.',
      );
    const doors = await asker.doors();
    const bytes = word === '' || word === '-' ? await readInput('--file', file ?? '-') : word;
    const isLines = ndjson || LINES.test(file ?? '');
    const payload = { bytes, type: isLines ? 'application/x-ndjson' : 'application/json' };
    const client = `fieldbench-put-${systemRandom.uuid()}`;
    const door = openDoor(source, { id: device_id, token, client }, () => doors);
    const answer = await door.send(payload).catch((cause: unknown) => {
      throw new UnreachableError(unanswered(cause).message, { cause });
    });
    door.close();
    if (!answer.accepted) throw new CommandError((answer.status ?? 0) >= 500 ? 1 : 3, answer.message);
    const stored = recordsIn(bytes.toString(), isLines);
    return { data: { stored }, lines: [`Stored: ${countOf(stored, 'record')}.`] };
  },
});

/** Returns how many records a payload has that was accepted. */
function recordsIn(text: string, isLines: boolean): number {
  if (isLines) return text.split('\n').filter((line) => line.trim() !== '').length;
  const read = parseJson(text);
  return Array.isArray(read) ? read.length : 1;
}
