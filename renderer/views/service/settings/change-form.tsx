import { Button, Group } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import type { Submit } from '../../../components/dialog/use-submit.ts';
import { Part } from '../parts.tsx';
import { focusRefused } from '../../../components/dialog/focus-refused.ts';

interface ChangeFormProps {
  /** Title of the part, which its buttons are named by, too. */
  readonly title: string;
  readonly submit: Submit;
  readonly isChanged: boolean;
  /** What the button says that drops what is typed. */
  readonly leave: string;
  readonly onLeave: () => void;
  /** Fields, each with what is wrong with it. */
  readonly children: ReactNode;
  /** Further buttons. */
  readonly beside?: ReactNode;
  readonly below?: ReactNode;
}

/** Part of the settings, which is applied and refused by itself. */
export function ChangeForm(props: ChangeFormProps) {
  const { title, submit, isChanged, leave, onLeave, children, beside, below } = props;
  const form = useRef<HTMLFormElement>(null);
  const { error, busy } = submit;
  useEffect(() => {
    if (error !== null) focusRefused(form.current);
  }, [error]);
  // It keeps the focus once it has applied.
  const isIdle = !isChanged || busy;
  return (
    <Part title={title}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isIdle) submit.run();
        }}
      >
        {children}
        <Group gap="xs" mt="sm">
          <Button
            type="submit"
            aria-label={`Apply: ${title}`}
            data-disabled={isIdle || undefined}
            aria-disabled={isIdle}
          >
            Apply
          </Button>
          {isChanged && (
            <Button
              variant="default"
              aria-label={`${leave}: ${title}`}
              onClick={() => {
                onLeave();
                submit.forget();
                // The button goes, and the keyboard goes on where it began.
                form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
              }}
            >
              {leave}
            </Button>
          )}
          {beside}
        </Group>
      </form>
      {below}
    </Part>
  );
}
