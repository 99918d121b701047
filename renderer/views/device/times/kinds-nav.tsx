import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './times-panel.module.css';

/** A kind of what was looked for, and where what was found of it is listed. */
export interface Kind {
  readonly id: string;
  readonly href: string;
  readonly name: ReactNode;
  readonly amount: ReactNode;
  /** Whether something was found. */
  readonly isAmiss: boolean;
  readonly isOpen: boolean;
  readonly title?: string;
}

interface KindsNavProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly kinds: readonly Kind[];
  /** Whether there are records that it does not speak of. */
  readonly isBehind: boolean;
  readonly again: () => void;
}

/** The kinds beside a list of what was found, and the way to look again where records came since. */
export function KindsNav({ label, className = '', kinds, isBehind, again }: KindsNavProps) {
  return (
    <nav aria-label={label} className={`${classes['kinds']} ${className}`}>
      {kinds.map(({ id, href, name, amount, isAmiss, isOpen, title }) => (
        <a
          key={id}
          href={href}
          className={classes['kind']}
          aria-current={isOpen}
          data-none={!isAmiss}
          title={title}
        >
          {isAmiss ? <IconAlertTriangle size={16} /> : <IconCircleCheck size={16} />}
          {name}
          <span className={classes['amount']}>{amount}</span>
        </a>
      ))}
      {isBehind && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconRefresh size={14} />}
          className={classes['again'] ?? ''}
          onClick={again}
        >
          Records came since: look again
        </Button>
      )}
    </nav>
  );
}
