import { Text } from '@mantine/core';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { lastSeenOf } from '../../time.ts';
import { Moment } from './moment.tsx';

interface Contact {
  readonly last_seen: string;
  /** The newest record's time; null without records. */
  readonly newest: string | null;
}

/** Last contact of a device: `3 minutes ago`, or `never`. */
function LastSeen({ device }: { readonly device: { readonly last_seen: string } }) {
  const at = lastSeenOf(device);
  if (at !== null) return <Moment at={at} relative />;
  return (
    <Text span inherit c="dimmed">
      never
    </Text>
  );
}

const TELLING_US = 3_600e6;

/** The newest record's time where the last contact does not tell it: imported, sent late, or by a clock that is wrong. */
export function newestApart({ last_seen, newest }: Contact): Micros | null {
  const at = newest === null ? null : parseInstant(newest);
  const seen = lastSeenOf({ last_seen });
  return at === null || (seen !== null && Math.abs(seen - at) <= TELLING_US) ? null : at;
}

/** `Last seen 3 days ago · newest record 2014-02-03 05:05:06`; of what was only imported `Newest record …`; `Never seen`. */
export function ContactLine(contact: Contact) {
  const newest = newestApart(contact);
  const isSeen = lastSeenOf(contact) !== null;
  if (!isSeen && newest === null) return 'Never seen';
  return (
    <>
      {isSeen && (
        <>
          Last seen <LastSeen device={contact} />
        </>
      )}
      {newest !== null && (
        <>
          {isSeen ? ' · newest record ' : 'Newest record '}
          <Moment at={newest} coarse />
        </>
      )}
    </>
  );
}
