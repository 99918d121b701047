import { Text } from '@mantine/core';
import { lastSeenOf } from '../time.ts';
import { Moment } from './moment.tsx';

/** When a device last stored something: `3 minutes ago`, or `never`. */
export function LastSeen({ device }: { readonly device: { readonly last_seen: string } }) {
  const at = lastSeenOf(device);
  if (at !== null) return <Moment at={at} relative />;
  return (
    <Text span inherit c="dimmed">
      never
    </Text>
  );
}
