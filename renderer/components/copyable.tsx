import { ActionIcon, Box, CopyButton, Group, Input, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './copyable.module.css';

interface CopyableProps {
  /** What it is: "Device id". */
  readonly label: string;
  readonly value: string;
  /** Shows dots until asked. */
  readonly secret?: boolean;
  /** Keeps line breaks: a snippet. */
  readonly block?: boolean;
}

/** A text that people take elsewhere: shown whole, selectable, with a button that copies it. */
export function Copyable({ label, value, secret = false, block = false }: CopyableProps) {
  const [hidden, setHidden] = useState(secret);
  const Eye = hidden ? IconEye : IconEyeOff;
  return (
    <Box>
      <Input.Label component="div" mb={4}>
        {label}
      </Input.Label>
      <Group gap={4} wrap="nowrap" align={block ? 'flex-start' : 'center'} className={classes['frame'] ?? ''}>
        <code role="group" className={block ? classes['block'] : classes['line']} aria-label={label}>
          {hidden ? '•'.repeat(40) : value}
        </code>
        {secret && (
          <Tooltip label={hidden ? 'Show' : 'Hide'}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${hidden ? 'Show' : 'Hide'} ${label.toLowerCase()}`}
              onClick={() => setHidden(!hidden)}
            >
              <Eye size={16} />
            </ActionIcon>
          </Tooltip>
        )}
        <CopyButton value={value} timeout={2000}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy'}>
              <ActionIcon
                variant="subtle"
                color={copied ? 'teal' : 'gray'}
                aria-label={copied ? 'Copied' : `Copy ${label.toLowerCase()}`}
                onClick={copy}
              >
                {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
    </Box>
  );
}
