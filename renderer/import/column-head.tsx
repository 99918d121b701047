import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { Column } from '#shared/operations/records/records.ts';
import { shortened } from '../format.ts';
import { setType, renameColumn, typeOf, type ColumnType } from './columns.ts';
import { Curve, rangeOf } from './curve.tsx';
import type { KeyCourse } from './curve-path.ts';
import { keysOfItem, unitOf, type FileItem } from './files/file-items.ts';
import { suggestedKey } from './files/file-kinds.ts';
import type { ImportChoices } from './import-choices.ts';
import classes from './rows-table.module.css';

interface ColumnHeadProps {
  readonly item: FileItem;
  readonly column: Column;
  readonly choices: ImportChoices;
  readonly isIn: boolean;
  readonly onTick: (isIn: boolean) => void;
  readonly onChange: (choices: ImportChoices) => void;
  readonly onUnit: (unit: string) => void;
}

/** Names that say nothing of what was measured. */
const EMPTY_NAME = /^(?:value|val|data|reading|measurement|column \d+)$/i;
/** A unit of a key has at most so many characters (docs/local-api.md, "Key settings"). */
const MOST_UNIT = 16;
const WORDS = { number: 'number', text: 'text', boolean: 'true/false', time: 'time' };

/** The head of a column: whether it comes in, its key, its unit, its type, its curve, and what of it does not fit. */
export function ColumnHead({ item, column, choices, isIn, onTick, onChange, onUnit }: ColumnHeadProps) {
  const { name } = column;
  const keys = keysOfItem(item);
  const key = keys[name] ?? name;
  const suggested = suggestedKey(item);
  const found = item.report.state === 'read' ? item.report.found.course : null;
  const course = found?.keys.find((one) => one.key === key);
  const rename = (to: string) => onChange(renameColumn(choices, keys, name, to));
  return (
    <div className={classes['head']}>
      <div className={classes['pair']}>
        <Checkbox
          size="xs"
          aria-label={`Import ${name}`}
          checked={isIn}
          onChange={(event) => onTick(event.currentTarget.checked)}
        />
        <TextInput
          size="xs"
          dir="auto"
          aria-label={`Key of ${name}`}
          title={key === name ? name : `${name} in the file`}
          disabled={!isIn}
          // The field keeps what is being typed; the service is asked when it is left.
          key={key}
          defaultValue={key}
          onBlur={(event) => {
            const typed = event.currentTarget.value.trim();
            if (typed !== key) rename(typed);
          }}
          flex={1}
        />
      </div>
      <div className={classes['pair']}>
        <TextInput
          size="xs"
          aria-label={`Unit of ${name}`}
          data-unit
          placeholder="Unit"
          maxLength={MOST_UNIT}
          disabled={!isIn}
          value={unitOf(item, name)}
          onChange={(event) => onUnit(event.currentTarget.value)}
          w={58}
        />
        <NativeSelect
          size="xs"
          aria-label={`Type of ${name}`}
          disabled={!isIn}
          value={typeOf(choices, name)}
          onChange={(event) => onChange(setType(choices, name, typeBy(event.currentTarget.value)))}
          data={[
            { value: 'auto', label: autoWords(column) },
            { value: 'number', label: 'Number' },
            { value: 'text', label: 'Text' },
          ]}
          flex={1}
        />
      </div>
      <Curve name={key} times={found?.times ?? []} course={isIn ? course : undefined} />
      <div className={classes['below']}>
        <Misfits column={column} course={course} />
        {EMPTY_NAME.test(name) && (
          <Button
            variant="subtle"
            size="compact-xs"
            maw="100%"
            title={`Call it “${suggested}”`}
            // It keeps its place: a field that is left must not move what is about to be clicked.
            style={{ visibility: key === name ? 'visible' : 'hidden' }}
            onClick={(event) => {
              rename(suggested);
              focusUnit(event.currentTarget);
            }}
          >
            <span className={classes['cut']}>Call it “{suggested}”</span>
          </Button>
        )}
      </div>
    </div>
  );
}

/** How many cells are texts among numbers: of the whole file once it was read, until then of its first rows. */
function Misfits({ column, course }: { readonly column: Column; readonly course: KeyCourse | undefined }) {
  const isOdd = course !== undefined && course.texts > 0 && course.numbers >= course.texts;
  const count = isOdd ? course.texts : course ? 0 : (column.odd?.count ?? 0);
  const texts = column.odd?.texts ?? (isOdd && course.text !== null ? [course.text] : []);
  if (count > 0)
    return (
      <span className={classes['misfit']} title={`No numbers: ${texts.join(', ')}. They are kept as text.`}>
        {count.toLocaleString('en')} {count === 1 ? 'does' : 'do'} not fit: {shortened(texts.join(', '), 30)}
      </span>
    );
  return <span className={classes['range']}>{course ? rangeOf(course) : ''}</span>;
}

function autoWords({ kind, role, odd }: Column): string {
  if (role === 'empty') return 'Empty so far';
  return `Auto: ${odd ? WORDS.number : WORDS[kind]}`;
}

const typeBy = (value: string): ColumnType => (value === 'number' || value === 'text' ? value : 'auto');

/** A button that hides itself cannot keep the focus: it goes to what is entered next. */
function focusUnit(beside: HTMLElement): void {
  beside.closest('th')?.querySelector<HTMLElement>('input[data-unit]')?.focus();
}
