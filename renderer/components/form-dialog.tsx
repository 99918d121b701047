import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { closeDialog } from '../stores/dialog.ts';
import { Problem } from './problem.tsx';
import { errorOf } from './field-error.ts';
import { type Submit } from './use-submit.ts';

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly submit: Submit;
  /** Fields that show an error of their own, so that the dialog need not repeat it. */
  readonly fields?: readonly string[];
  readonly disabled?: boolean;
  readonly danger?: boolean;
  readonly size?: string;
  readonly children: ReactNode;
}

/** A dialog that asks and acts: fields, what went wrong, Cancel and the action. Enter submits, Escape closes. */
export function FormDialog({
  title,
  action,
  submit,
  fields = [],
  disabled,
  danger,
  size,
  children,
}: FormDialogProps) {
  // What is under way cannot be taken back: the dialog stays until its result is known.
  const close = () => {
    if (!submit.busy) closeDialog();
  };
  const shownBeside = fields.some((field) => errorOf(submit.error, field) !== null);
  return (
    <Modal opened onClose={close} title={title} size={size ?? 'md'} closeOnClickOutside={false}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!disabled) submit.run();
        }}
      >
        <Stack gap="sm">
          {children}
          {submit.error !== null && !shownBeside && <Problem message={submit.error} />}
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={close} disabled={submit.busy}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={submit.busy}
              disabled={disabled ?? false}
              {...(danger && { color: 'danger' })}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
