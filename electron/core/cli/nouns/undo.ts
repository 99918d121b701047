import { countOf } from '#shared/values/counts.ts';
import { columns, nounCommand } from './noun-command.ts';

const WORD = 'the ID of a delete';
const WORD_HELP = '  ID                  as undo list says it';

export const list = nounCommand({
  flags: {},
  help: '',
  example: 'undo list',
  async run({ ask }) {
    const found = await ask('undo.list', {});
    return {
      data: found,
      lines: columns(
        found.map(({ id, kind, deleted_at, deleted, name }) => [
          id,
          kind,
          deleted_at,
          countOf(deleted.records, 'record'),
          name,
        ]),
      ),
    };
  },
});

export const restore = nounCommand({
  word: WORD,
  flags: {},
  help: WORD_HELP,
  example: 'undo restore 4bdeaaa4-6a0f-4c39-8f7c-2f6a1d7b9c01',
  async run({ ask, word }) {
    const back = await ask('undo.restore', { undo_id: word });
    return { data: back, lines: [`It is back, with ${countOf(back.restored.records, 'record')}.`] };
  },
});

export const discard = nounCommand({
  word: WORD,
  flags: {},
  help: WORD_HELP,
  example: 'undo discard 4bdeaaa4-6a0f-4c39-8f7c-2f6a1d7b9c01',
  async run({ ask, word }) {
    const gone = await ask('undo.discard', { undo_id: word });
    return { data: gone, lines: [`Gone for good: ${countOf(gone.deleted.records, 'record')}.`] };
  },
});
