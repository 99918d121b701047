import { Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import { formatMicros, parseInstant, type Micros } from '#shared/values/time.ts';
import { ask } from '../../../bridge/ask.ts';
import { storedSpans } from '../../../chart/corrections/stored-time.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { errorOf } from '../../../components/dialog/field-error.ts';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { addEdited } from '../../../components/work/undo-edits.ts';
import { spanText } from '../../../components/facts/span-words.ts';
import { formatLocal } from '../../../time.ts';
import { editOfNote } from '../../../stores/undo/edits.ts';
import { useCorrections } from '../../../stores/corrections.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { NOTE_TIME_RULE, readNoteTime } from './note-time.ts';

export interface NoteDialogProps {
  readonly project_id: string;
  readonly device_id: string;
  /** Start of the note's span, in µs of a view; a null end is an instant. */
  readonly start: Micros;
  readonly end: Micros | null;
  readonly view: View;
  /** Proposed text. */
  readonly text?: string;
  /** The note that is changed; absent: a new one. */
  readonly note?: Note;
}

const LONGEST = 500;

/** Whether no moment of the device's clock has this corrected time. */
const isBetween = (at: Micros | null, stored: Micros | null) => at !== null && stored === null;

/** Writes a note to an instant or a span, or changes one. */
export function NoteDialog({
  project_id,
  device_id,
  start,
  end,
  view,
  text: proposed = '',
  note,
}: NoteDialogProps) {
  const [from, setFrom] = useState(() => formatLocal(start));
  const [to, setTo] = useState(() => (end === null ? '' : formatLocal(end)));
  const [text, setText] = useState(note?.text ?? proposed);
  const [tried, setTried] = useState(false);
  const { list } = useCorrections(project_id, device_id);
  const isMoved = view === 'corrected' && list.some(({ kind }) => kind === 'time');
  const storedOf = (at: Micros | null) => (at === null || !isMoved ? at : storedMoment(list, at));
  const begins = readNoteTime(from);
  const ends = to.trim() === '' ? null : readNoteTime(to);
  const [first, last] = [storedOf(begins), storedOf(ends)];
  const wrong = {
    text: text.trim() === '' ? 'What is to be remembered, in 1 to 500 characters.' : null,
    start: begins === null ? NOTE_TIME_RULE : isBetween(begins, first) ? BETWEEN : null,
    end: endProblem(to, begins, ends) ?? (isBetween(ends, last) ? BETWEEN : null),
  };
  const submit = useSubmit(async () => {
    setTried(true);
    if (first === null || Object.values(wrong).some((problem) => problem !== null)) return;
    const given = {
      project_id,
      device_id,
      start: formatMicros(last === null ? first : Math.min(first, last)),
      end: last === null ? null : formatMicros(Math.max(first, last)),
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
        {isMoved && first !== null && wrong.end === null && first !== begins && (
          <> Kept at the time of the device’s clock, {spanText(first, last)}.</>
        )}
      </Text>
    </FormDialog>
  );
}

/** The note as it is kept now: another window may have changed it since it was opened here. */
export async function readNote(project_id: string, note: Note): Promise<Note> {
  const found = await ask('notes.list', { project_id, device_id: note.device_id });
  return found.find(({ id }) => id === note.id) ?? note;
}

function endProblem(text: string, begins: Micros | null, ends: Micros | null): string | null {
  if (text.trim() === '') return null;
  if (ends === null) return `${NOTE_TIME_RULE} Nothing means an instant.`;
  return begins !== null && ends < begins ? 'Not before its beginning.' : null;
}

/** Where a clock was put right, a stretch of corrected time may have no moment of it. */
const BETWEEN =
  'The clock of the device was put right here, and no moment of it has this time. Choose Raw to write the note as it was stored.';

/** The moment of the device's clock that has a corrected time, the earliest of several; null where none has. */
const storedMoment = (list: Parameters<typeof storedSpans>[0], at: Micros): Micros | null =>
  storedSpans(list, { from: at, to: at }, 'corrected')[0]?.from ?? null;

/** The dialog for a note that is there, as a view shows it. */
export function editOf(note: Note, view: View): Pick<NoteDialogProps, 'start' | 'end' | 'view' | 'note'> {
  return {
    view,
    start: parseInstant(note.start) ?? 0,
    end: note.end === null ? null : parseInstant(note.end),
    note,
  };
}
