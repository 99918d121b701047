import { Textarea, type TextareaProps } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { useAsksForReason } from '../../stores/projects.ts';
import type { Why } from '../../stores/undo/deletes.ts';
import { errorOf } from './field-error.ts';

/** Characters of a reason, as operations take them. */
const LONGEST = 500;

interface ReasonFieldProps extends Pick<TextareaProps, 'placeholder' | 'error' | 'onKeyDown'> {
  readonly project_id: string | null;
  readonly value: string;
  readonly onChange: (reason: string) => void;
  readonly isFocused?: boolean;
}

/** Why data are changed; whether it may be empty is the project's choice. */
export function ReasonField({ project_id, value, onChange, isFocused = false, ...look }: ReasonFieldProps) {
  const isAsked = useAsksForReason(project_id);
  return (
    <Textarea
      {...look}
      label="Reason"
      required={isAsked}
      withAsterisk={false}
      description={isAsked ? 'This project asks for one; the audit trail tells it.' : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={LONGEST}
      autosize
      minRows={1}
      maxRows={4}
      {...(isFocused && { 'data-autofocus': true })}
    />
  );
}

interface AskedReason {
  readonly project_id: string | null;
  /** Whether there is a field at all. */
  readonly isAsked: boolean;
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  /** Reason as the operation takes it. */
  readonly why: Why;
  /** Fields that show an error of their own: without the field a dialog says itself that a reason is needed. */
  readonly fields: readonly string[];
}

/** Reason of a removal: a field where the project asks for one, nothing elsewhere. */
export function useAskedReason(project_id: string | null): AskedReason {
  const isAsked = useAsksForReason(project_id);
  const [reason, setReason] = useState('');
  const entered = reason.trim();
  const why = isAsked && entered !== '' ? { reason: entered } : {};
  return { project_id, isAsked, reason, setReason, why, fields: isAsked ? ['reason'] : [] };
}

/** Throws where a reason is asked for and none was entered, in the service's words: for work that goes on behind the dialog. */
export function requireReason({ isAsked, reason }: Pick<AskedReason, 'isAsked' | 'reason'>): void {
  if (isAsked && reason.trim() === '') throw new Error('reason must be given: the project asks for one');
}

interface AskedReasonFieldProps extends AskedReason {
  /** Why the last attempt failed. */
  readonly problem: string | null;
}

export function AskedReasonField({ isAsked, reason, setReason, project_id, problem }: AskedReasonFieldProps) {
  if (!isAsked) return null;
  return (
    <ReasonField
      project_id={project_id}
      value={reason}
      onChange={setReason}
      onKeyDown={submitByEnter}
      error={errorOf(problem, 'reason')}
      isFocused
    />
  );
}

/** A reason is a line or two: Enter ends it, Shift goes on. */
export function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
