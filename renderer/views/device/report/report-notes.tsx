import type { Note } from '#shared/operations/metadata/notes.ts';
import { MOST_NOTES } from '../../../chart/picture-file/plots-svg.ts';
import { spanTextOf } from '../../../components/facts/span-words.ts';
import type { Zone } from '../../../time.ts';
import classes from './report.module.css';

interface ReportNotesProps {
  /** Earliest first, as their flags are numbered. */
  readonly notes: readonly Note[];
  readonly zone: Zone;
}

/** Notes on the span. */
export function ReportNotes({ notes, zone }: ReportNotesProps) {
  return (
    <section>
      <h3>Notes</h3>
      {notes.length === 0 ? (
        <p>None.</p>
      ) : (
        <table className={classes['table']} data-kind="notes">
          <thead>
            <tr>
              <th scope="col">Flag</th>
              <th scope="col">Time</th>
              <th scope="col">Note</th>
              <th scope="col">By</th>
            </tr>
          </thead>
          <tbody>
            {notes.map(({ id, start, end, text, author }, index) => (
              <tr key={id}>
                <td>{index < MOST_NOTES ? index + 1 : ''}</td>
                <td>{spanTextOf(start, end, zone)}</td>
                <td dir="auto">{text}</td>
                <td dir="auto">{author}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
