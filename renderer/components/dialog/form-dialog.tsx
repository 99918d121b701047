import { Button, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useOffline } from '../../bridge/connection.ts';
import { closeDialog } from '../../stores/dialog.ts';
import { DialogFooter } from './dialog-footer.tsx';
import { errorOf } from './field-error.ts';
import { OfflineNotice } from '../work/offline-notice.tsx';
import { type Submit } from './use-submit.ts';
import { focusRefused } from './focus-refused.ts';

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly submit: Submit;
  /** Fields that show an error of their own, so that the dialog need not repeat it. */
  readonly fields?: readonly string[];
  readonly disabled?: boolean;
  readonly danger?: boolean;
  /** Whether the action has the focus at first: where there is nothing to enter. */
  readonly focusAction?: boolean;
  readonly size?: string;
  readonly children: ReactNode;
}

/**
 * A dialog that asks and acts: fields, what went wrong, Cancel and the action. Enter submits; Escape closes, where something
 * was typed the second one. Without the service it waits for it: what is pressed now must not happen minutes later.
 */
export function FormDialog({
  title,
  action,
  submit,
  fields = [],
  disabled = false,
  danger,
  focusAction = false,
  size,
  children,
}: FormDialogProps) {
  const offline = useOffline();
  // What is under way cannot be taken back: the dialog stays until its result is known.
  const close = () => {
    if (!submit.busy) closeDialog();
  };
  const [typing, setTyping] = useState<'nothing' | 'typed' | 'warned'>('nothing');
  // A key that is hit in passing must not cost what was typed.
  const closeUnlessTyped = () => {
    if (typing === 'typed') setTyping('warned');
    else close();
  };
  const isDisabled = disabled || offline;
  const actionRef = useRef<HTMLButtonElement>(null);
  // It can be pressed only once it is known what for.
  useEffect(() => {
    if (focusAction && !isDisabled) actionRef.current?.focus();
  }, [focusAction, isDisabled]);
  const form = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  const { busy } = submit;
  useEffect(() => {
    if (attempts > 0 && !busy) focusRefused(form.current);
  }, [attempts, busy]);
  const shownBeside = fields.some((field) => errorOf(submit.error, field) !== null);
  return (
    <Modal opened onClose={closeUnlessTyped} title={title} size={size ?? 'md'} closeOnClickOutside={false}>
      <form
        ref={form}
        noValidate
        // The focus trap focuses without scrolling: in a low window the first field may lie below the buttons.
        onFocus={({ target }) => target.scrollIntoView({ block: 'nearest' })}
        onInput={({ target }) => {
          if (isText(target)) setTyping('typed');
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (isDisabled) return;
          submit.run();
          setAttempts(attempts + 1);
        }}
      >
        <Stack gap="sm">
          {children}
          <OfflineNotice />
          {typing === 'warned' && (
            <Text size="sm" role="status">
              What you entered is not saved. Close once more to drop it.
            </Text>
          )}
          <DialogFooter problem={shownBeside ? null : submit.error}>
            <Button variant="default" onClick={close} disabled={submit.busy}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={submit.busy}
              disabled={isDisabled}
              ref={actionRef}
              // What holds the focus in the dialog would put it on the first button else.
              data-autofocus={focusAction && !isDisabled ? true : undefined}
              {...(danger && { color: 'danger' })}
            >
              {action}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

/** Whether it is a field that a text is typed into; one that only finds an option of a list holds nothing. */
function isText(target: EventTarget): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && target.type === 'text' && target.role !== 'combobox';
}
