import { Button } from '@mantine/core';
import { IconArrowRight, IconPlayerPause, IconPointFilled } from '@tabler/icons-react';
import { useOffline } from '../../bridge/connection.ts';
import { countOf } from '../../format.ts';
import type { Live } from './use-live.ts';

/** Says whether the chart follows what comes in, stops it, and leads back to what is newest. */
export function LiveButton({ live: { isFollowing, missed, toggle } }: { readonly live: Live }) {
  const isAway = useOffline();
  const Sign = isFollowing ? IconPointFilled : IconPlayerPause;
  return (
    <Button
      variant={missed > 0 ? 'light' : 'default'}
      leftSection={
        <Sign size={16} color={isFollowing && !isAway ? 'var(--mantine-color-teal-7)' : undefined} />
      }
      {...(missed > 0 && { rightSection: <IconArrowRight size={16} /> })}
      aria-pressed={isFollowing}
      title={
        isFollowing && isAway
          ? 'It goes on when the service is back'
          : isFollowing
            ? 'Pause (L)'
            : 'Go to the newest and follow (L)'
      }
      onClick={toggle}
    >
      {isFollowing ? (isAway ? 'Waiting' : 'Live') : missed > 0 ? countOf(missed, 'new record') : 'Paused'}
    </Button>
  );
}
