import { Input } from '@mantine/core';
import {
  useEffect,
  useImperativeHandle,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { indented, lineSpan, outdented, type Edited } from './indent.ts';
import classes from './script-editor.module.css';

export interface ScriptEditorHandle {
  /** Selects a line and brings it into view. */
  readonly goToLine: (line: number) => void;
}

interface ScriptEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is wrong with it. */
  readonly error: string | null;
  /** Line that an error names. */
  readonly marked: number | null;
  readonly readOnly?: boolean;
  /** Stands beside the label. */
  readonly action?: ReactNode;
  readonly ref?: Ref<ScriptEditorHandle>;
}

/** Height of a line in pixels, as script-editor.module.css has it. */
const LINE = 19;
const PADDING = 8;

/**
 * A script with the numbers of its lines. Tab goes on to the next field, as anywhere, until something is typed: from then on it
 * indents, until Escape or another field.
 */
export function ScriptEditor({ value, onChange, error, marked, ...look }: ScriptEditorProps) {
  const { readOnly = false, action, ref } = look;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const isWriting = useRef(false);
  const count = countLines(value);
  const [top, setTop] = useState(0);
  const [selected, setSelected] = useState<Edited['select'] | null>(null);
  useEffect(() => {
    if (selected) field.current?.setSelectionRange(...selected);
  }, [selected]);
  useImperativeHandle(ref, () => ({
    goToLine(line) {
      const text = field.current;
      if (!text) return;
      text.focus();
      text.setSelectionRange(...lineSpan(text.value, line));
      text.scrollTop = Math.max(0, PADDING + (line - 1) * LINE - text.clientHeight / 2);
      text.scrollLeft = 0;
      text.scrollIntoView({ block: 'nearest' });
    },
  }));

  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, shiftKey, ctrlKey, altKey, metaKey, currentTarget: text } = event;
    if (key === 'Escape') isWriting.current = false;
    if (key !== 'Tab' || ctrlKey || altKey || metaKey || readOnly || !isWriting.current) return;
    event.preventDefault();
    const { selectionStart: start, selectionEnd: end } = text;
    const edited = shiftKey ? outdented(value, start, end) : indented(value, start, end);
    if (!edited) return;
    onChange(value.slice(0, edited.from) + edited.text + value.slice(edited.to));
    setSelected(edited.select);
  };

  return (
    <div>
      <div className={classes['head']}>
        <Input.Label htmlFor={id}>Script</Input.Label>
        {action}
      </div>
      <div className={classes['frame']} data-invalid={error !== null || undefined}>
        <div className={classes['numbers']} aria-hidden>
          <div style={{ transform: `translateY(${-top}px)` }}>
            {marked !== null && marked <= count && (
              <div className={classes['mark']} style={{ top: PADDING + (marked - 1) * LINE }}>
                ▸
              </div>
            )}
            <pre>{numbersTo(count)}</pre>
          </div>
        </div>
        {marked !== null && marked <= count && (
          <div
            className={classes['band']}
            aria-hidden
            style={{ transform: `translateY(${PADDING + (marked - 1) * LINE - top}px)` }}
          />
        )}
        <textarea
          ref={field}
          id={id}
          className={classes['text']}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          readOnly={readOnly}
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? `${id}-help` : `${id}-error ${id}-help`}
          placeholder={EXAMPLE}
          value={value}
          onChange={({ currentTarget, nativeEvent }) => {
            // What is pasted whole is not written here.
            const { inputType } = nativeEvent as InputEvent;
            isWriting.current = inputType !== 'insertFromPaste' && inputType !== 'insertFromDrop';
            onChange(currentTarget.value);
          }}
          onKeyDown={press}
          onBlur={() => (isWriting.current = false)}
          onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
        />
      </div>
      <Input.Description mt={4} id={`${id}-help`}>
        While you write, Tab indents and Shift Tab takes that back; Escape, then Tab leaves the field.
      </Input.Description>
      {error !== null && (
        <Input.Error mt={4} id={`${id}-error`}>
          {error}
        </Input.Error>
      )}
    </div>
  );
}

const EXAMPLE = `function decodeUplink(input) {
  // input: { bytes, fPort, recvTime }
  const [high, low] = input.bytes;
  return { data: { temperature: ((high << 8) | low) / 10 } };
}`;

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1).join('\n');
