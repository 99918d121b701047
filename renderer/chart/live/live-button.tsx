import { Button } from '@mantine/core';
import { IconArrowRight, IconPlayerPause, IconPointFilled } from '@tabler/icons-react';
import { useOffline } from '../../bridge/connection.ts';
import { countOf } from '../../format.ts';
import type { Live } from './use-live.ts';

interface LiveButtonProps {
  readonly live: Live;
  /** Whether anything comes in: only then the sign is lit. */
  readonly isSending: boolean;
}

/** Says whether the chart follows what comes in, stops it, and leads back to what is newest. */
export function LiveButton({ live: { isFollowing, missed, toggle }, isSending }: LiveButtonProps) {
  const isAway = useOffline();
  const isLit = isFollowing && isSending && !isAway;
  const Sign = isFollowing ? IconPointFilled : IconPlayerPause;
  return (
    <Button
      variant={missed > 0 ? 'light' : 'default'}
      leftSection={
        <Sign
          size={16}
          data-lit={isLit}
          color={
            isLit ? 'var(--mantine-color-teal-7)' : isFollowing ? 'var(--mantine-color-dimmed)' : undefined
          }
        />
      }
      {...(missed > 0 && { rightSection: <IconArrowRight size={16} /> })}
      aria-pressed={isFollowing}
      title={
        isFollowing && isAway
          ? 'It goes on when the service is back'
          : isFollowing
            ? isSending
              ? 'Pause (L)'
              : 'Follows what comes; nothing does at present. Pause (L)'
            : 'Go to the newest and follow (L)'
      }
      onClick={toggle}
    >
      {isFollowing ? (isAway ? 'Waiting' : 'Live') : missed > 0 ? countOf(missed, 'new record') : 'Paused'}
    </Button>
  );
}
