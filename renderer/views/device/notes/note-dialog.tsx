import { Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Note } from '#shared/operations/metadata/notes.ts';
import { formatMicros, parseInstant, type Micros } from '#shared/values/time.ts';
import { ask } from '../../../bridge/ask.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { errorOf } from '../../../components/dialog/field-error.ts';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { addEdited } from '../../../components/work/undo-edits.ts';
import { spanText } from '../../../components/facts/span-words.ts';
import { formatLocal } from '../../../time.ts';
import { editOfNote } from '../../../stores/undo/edits.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { NOTE_TIME_RULE, readNoteTime } from './note-time.ts';

export interface NoteDialogProps {
  readonly project_id: string;
  readonly device_id: string;
  /** Start of the note's span, in µs; a null end is an instant. */
  readonly start: Micros;
  readonly end: Micros | null;
  /** Proposed text. */
  readonly text?: string;
  /** The note that is changed; absent: a new one. */
  readonly note?: Note;
}

const LONGEST = 500;

/** Writes a note to an instant or a span, or changes one. */
export function NoteDialog({
  project_id,
  device_id,
  start,
  end,
  text: proposed = '',
  note,
}: NoteDialogProps) {
  const [from, setFrom] = useState(() => formatLocal(start));
  const [to, setTo] = useState(() => (end === null ? '' : formatLocal(end)));
  const [text, setText] = useState(note?.text ?? proposed);
  const [tried, setTried] = useState(false);
  const begins = readNoteTime(from);
  const ends = to.trim() === '' ? null : readNoteTime(to);
  const wrong = {
    text: text.trim() === '' ? 'What is to be remembered, in 1 to 500 characters.' : null,
    start: begins === null ? NOTE_TIME_RULE : null,
    end: endProblem(to, begins, ends),
  };
  const submit = useSubmit(async () => {
    setTried(true);
    if (begins === null || wrong.text !== null || wrong.end !== null) return;
    const given = {
      project_id,
      device_id,
      start: formatMicros(begins),
      end: ends === null ? null : formatMicros(ends),
      text: text.trim(),
    };
    if (note) {
      const before = await readNote(project_id, note);
      const after = await ask('notes.update', { ...given, note_id: note.id });
      addEdited(project_id, editOfNote(before, after));
    } else addEdited(project_id, editOfNote(null, await ask('notes.create', given)));
    closeDialog();
  });
  const shown = (field: keyof typeof wrong) => (tried ? wrong[field] : null) ?? errorOf(submit.error, field);
  return (
    <FormDialog
      title={note ? 'Edit note' : 'New note'}
      action={note ? 'Save' : 'Add note'}
      submit={submit}
      fields={['text', 'start', 'end']}
    >
      <Textarea
        label="Note"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          // A note is a line or two: Enter ends it, Shift goes on.
          if (event.key !== 'Enter' || event.shiftKey) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
        error={shown('text')}
        maxLength={LONGEST}
        autosize
        minRows={2}
        maxRows={6}
        data-autofocus
      />
      <TextInput
        label="From"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        error={shown('start')}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        label="To"
        placeholder="an instant"
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        error={shown('end')}
        autoComplete="off"
        spellCheck={false}
      />
      <Text size="sm" c="dimmed" role="status">
        {begins !== null && wrong.end === null ? spanText(begins, ends) : ' '}
      </Text>
    </FormDialog>
  );
}

/** The note as it is now: another window may have changed it since it was opened here. */
async function readNote(project_id: string, note: Note): Promise<Note> {
  const found = await ask('notes.list', { project_id, device_id: note.device_id });
  return found.find(({ id }) => id === note.id) ?? note;
}

function endProblem(text: string, begins: Micros | null, ends: Micros | null): string | null {
  if (text.trim() === '') return null;
  if (ends === null) return `${NOTE_TIME_RULE} Nothing means an instant.`;
  return begins !== null && ends < begins ? 'Not before its beginning.' : null;
}

/** The dialog for a note that is there. */
export function editOf(note: Note): Pick<NoteDialogProps, 'start' | 'end' | 'note'> {
  return {
    start: parseInstant(note.start) ?? 0,
    end: note.end === null ? null : parseInstant(note.end),
    note,
  };
}
