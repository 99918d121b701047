import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { messageOf } from '../../../bridge/ask.ts';

interface ActProps {
  readonly label: string;
  /** Why it cannot be done; null where it can. */
  readonly why: string | null;
  /** Resolves with what is to be said of it. */
  readonly run: () => Promise<string>;
}

/** A button, and beside it how that went, or why it cannot be pressed. */
export function Act({ label, why, run }: ActProps) {
  const [said, setSaid] = useState<{ readonly words: string; readonly isWell: boolean } | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const act = async () => {
    setIsBusy(true);
    setSaid(null);
    try {
      setSaid({ words: await run(), isWell: true });
    } catch (caught) {
      setSaid({ words: messageOf(caught), isWell: false });
    } finally {
      setIsBusy(false);
    }
  };
  const Icon = said?.isWell === false ? IconAlertTriangle : IconCircleCheck;
  return (
    <Group gap="md" align="center">
      <Button variant="default" loading={isBusy} disabled={why !== null} onClick={() => void act()}>
        {label}
      </Button>
      <Text size="sm" role="status" flex={1} miw={220} {...(said?.isWell === false && { c: 'danger' })}>
        {said !== null && <Icon size={16} aria-hidden style={{ verticalAlign: '-3px' }} />}{' '}
        {said?.words ?? why}
      </Text>
    </Group>
  );
}
