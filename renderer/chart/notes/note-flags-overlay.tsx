import { Tooltip } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { Note } from '#shared/operations/metadata/notes.ts';
import { spanTextOf } from '../../components/facts/span-words.ts';
import { countOf } from '../../format.ts';
import type { Zone } from '../../time.ts';
import type { TimeSpan } from '../time/window.ts';
import { flagsIn, placed } from './note-flags.ts';
import classes from './note-flags.module.css';

interface NoteFlagsProps {
  /** Earliest first. */
  readonly notes: readonly Note[];
  /** What the plot shows, from its left edge to its right one. */
  readonly window: TimeSpan;
  readonly zone?: Zone;
  /** Opens a note; of a flag of several, the first one. */
  readonly onOpen: (note: Note) => void;
}

/** Notes that a tooltip reads out; a flag may stand for thousands. */
const MOST_READ = 8;

/** Notes as flags on the time axis. A layer over a plot, which fills it; nothing but the flags is in anyone's way. */
export function NoteFlags({ notes, window, zone = 'local', onOpen }: NoteFlagsProps) {
  const known = useMemo(() => placed(notes), [notes]);
  const flags = useMemo(() => flagsIn(known, window), [known, window]);
  const across = (at: number) => Math.max(0, Math.min(1, (at - window.from) / (window.to - window.from)));
  return (
    <div className={classes['layer']} role="group" aria-label="Notes">
      {flags.map(({ at, notes: [first, ...others] }) => {
        if (!first) return null;
        const all = [first, ...others].map(({ note }) => note);
        return (
          <div key={first.note.id}>
            {first.to > first.from && (
              <div
                className={classes['span']}
                style={{
                  left: `${across(first.from) * 100}%`,
                  width: `${(across(first.to) - across(first.from)) * 100}%`,
                }}
              />
            )}
            <Tooltip
              label={<Read notes={all} zone={zone} />}
              multiline
              maw={340}
              events={{ hover: true, focus: true, touch: true }}
            >
              <button
                type="button"
                className={classes['flag']}
                data-note={first.note.id}
                style={{ left: `${at * 100}%` }}
                aria-label={
                  others.length === 0
                    ? `Note: ${first.note.text}, ${spanTextOf(first.note.start, first.note.end, zone)}`
                    : `${countOf(all.length, 'note')}, the first: ${first.note.text}`
                }
                onClick={() => onOpen(first.note)}
              >
                <IconFlag size={13} aria-hidden />
                {others.length > 0 && <span>{all.length}</span>}
              </button>
            </Tooltip>
          </div>
        );
      })}
    </div>
  );
}

function Read({ notes, zone }: { readonly notes: readonly Note[]; readonly zone: Zone }) {
  return (
    <>
      {notes.slice(0, MOST_READ).map(({ id, text, start, end, author }) => (
        <div key={id} className={classes['read']}>
          <div dir="auto">{text}</div>
          <div className={classes['when']}>
            {spanTextOf(start, end, zone)} · {author}
          </div>
        </div>
      ))}
      {notes.length > MOST_READ && <div>and {notes.length - MOST_READ} more</div>}
    </>
  );
}
