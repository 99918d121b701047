/** Moves the focus to the first refused field of a form, which is mended next, and has what is wrong with it in sight. */
export function focusRefused(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  field?.focus();
  field?.closest('.mantine-InputWrapper-root')?.scrollIntoView({ block: 'nearest' });
}
