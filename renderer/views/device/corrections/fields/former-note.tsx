import { Anchor, Text } from '@mantine/core';
import { parseInstant } from '#shared/values/time.ts';
import type { TimeSpan } from '../../../../chart/time/window.ts';
import type { Called } from '../../../../components/corrections/correction-words.ts';
import { hrefTo } from '../../../../router.ts';
import { useCorrections } from '../../../../stores/corrections.ts';
import { closeDialog } from '../../../../stores/dialog.ts';
import type { Place } from '../change-corrections.ts';

interface FormerNoteProps extends Place {
  /** What is to be corrected. */
  readonly spans: readonly TimeSpan[];
  readonly called: Called;
}

/** Says of which former device some of what was selected is: its corrections are its own. Nothing without one there. */
export function FormerNote({ project_id, device_id, spans, called }: FormerNoteProps) {
  const { list } = useCorrections(project_id, device_id);
  const first = Math.min(...spans.map(({ from }) => from));
  const former = list.find(
    ({ kind, until }) => kind === 'replaced' && (parseInstant(until ?? '') ?? -Infinity) >= first,
  );
  if (former?.former_id === undefined) return null;
  const href = hrefTo({ screen: 'device', project_id, device_id: former.former_id, tab: 'chart' });
  return (
    <Text size="sm" c="dimmed">
      What{' '}
      <Anchor href={href} underline="always" inherit onClick={closeDialog}>
        {called.deviceOf(former.former_id) ?? 'the former device'}
      </Anchor>{' '}
      stored is corrected there: this correction is of the records of this device alone.
    </Text>
  );
}
