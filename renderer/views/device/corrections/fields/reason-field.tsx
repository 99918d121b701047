import { Textarea, type TextareaProps } from '@mantine/core';

/** Characters of a reason, as corrections.create takes them. */
const LONGEST = 500;

interface ReasonFieldProps extends Pick<TextareaProps, 'placeholder' | 'error' | 'onKeyDown'> {
  readonly value: string;
  readonly onChange: (reason: string) => void;
  readonly isFocused?: boolean;
}

/** Why a correction is made. */
export function ReasonField({ value, onChange, isFocused = false, ...look }: ReasonFieldProps) {
  return (
    <Textarea
      {...look}
      label="Reason"
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
