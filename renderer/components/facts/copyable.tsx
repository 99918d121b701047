import { ActionIcon, Box, Group, Input, Text, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconEye, IconEyeOff } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import classes from './copyable.module.css';

interface CopyableProps {
  /** Label: "Device id". */
  readonly label: string;
  readonly value: string;
  /** Shows dots until asked, or this text instead, where only a part of it is secret. */
  readonly secret?: boolean | string;
  /** Keeps line breaks: a snippet. */
  readonly block?: boolean;
  /** Gives the button that copies the first focus of a dialog. */
  readonly first?: boolean;
  readonly onCopied?: () => void;
}

/** A text that people take elsewhere: shown whole, selectable, with a button that copies it. */
export function Copyable({
  label,
  value,
  secret = false,
  block = false,
  first = false,
  onCopied,
}: CopyableProps) {
  const [hidden, setHidden] = useState(secret !== false);
  const { copy, copied, error } = useClipboard({ timeout: 2000 });
  const tell = useEffectEvent(() => onCopied?.());
  useEffect(() => {
    if (copied) tell();
  }, [copied]);
  // "API key" stays so in the middle of a sentence.
  const inWords = label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
  const Eye = hidden ? IconEye : IconEyeOff;
  return (
    <Box>
      <Input.Label component="div" mb={4}>
        {label}
      </Input.Label>
      <Group gap={4} wrap="nowrap" align={block ? 'flex-start' : 'center'} className={classes['frame'] ?? ''}>
        <code
          role="group"
          className={block ? classes['block'] : classes['line']}
          aria-label={label}
          // Lines that are longer than the frame are scrolled to by keyboard, too.
          tabIndex={block ? 0 : undefined}
        >
          {hidden ? (typeof secret === 'string' ? secret : '•'.repeat(40)) : value}
        </code>
        {secret !== false && (
          <Tooltip label={hidden ? 'Show' : 'Hide'}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${hidden ? 'Show' : 'Hide'} ${inWords}`}
              onClick={() => setHidden(!hidden)}
            >
              <Eye size={16} />
            </ActionIcon>
          </Tooltip>
        )}
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            aria-label={copied ? 'Copied' : `Copy ${inWords}`}
            onClick={() => copy(value)}
            data-autofocus={first || undefined}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      </Group>
      {error && (
        <Text size="sm" c="danger" role="alert" mt={4}>
          It could not be copied ({error.message}). Select the text and copy it by hand.
        </Text>
      )}
    </Box>
  );
}
