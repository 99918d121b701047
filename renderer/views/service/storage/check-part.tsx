import { Anchor, Button, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { StorageCheck } from '#shared/operations/service/storage.ts';
import { parseInstant } from '#shared/values/time.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import { useJob } from '../../../components/work/use-job.ts';
import { WorkProgress } from '../../../components/work/work-progress.tsx';
import { countOf, formatBytes, formatCount, formatDuration } from '../../../format.ts';
import { hrefTo } from '../../../router.ts';
import { storage } from '../../../stores/storage.ts';
import { Part } from '../parts.tsx';

/** Devices, and damages of each, that are listed. */
const MOST_DEVICES = 20;
const MOST_OF_DEVICE = 3;

type Finding = StorageCheck['findings'][number];

/** Reads all records through while they are used, and says what the last time found. */
export function CheckPart({ check }: { readonly check: StorageCheck | null }) {
  const job = useJob({ kind: 'check', project_id: '', device_id: null });
  const [isAsked, setIsAsked] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async () => {
    setIsAsked(true);
    setProblem(null);
    try {
      await ask('storage.check', {});
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setIsAsked(false);
      storage.reload();
    }
  };
  const cancel = () => {
    if (job) ask('jobs.cancel', { id: job.id }).catch((error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <Part title="Check of the records">
      <Group gap="md" align="center">
        <Button variant="default" loading={isAsked || job !== null} onClick={() => void run()}>
          Check now
        </Button>
        <Text size="sm" role="status" flex={1} miw={220}>
          <Outcome check={check} />
        </Text>
      </Group>
      {job && (
        <WorkProgress
          label="Checking the records"
          done={job.done}
          total={job.total}
          format={formatBytes}
          onCancel={cancel}
        />
      )}
      {problem !== null && (
        <Text size="sm" c="danger" role="alert">
          {problem}
        </Text>
      )}
      {check && check.damaged > 0 && <Damages check={check} />}
    </Part>
  );
}

function Outcome({ check }: { readonly check: StorageCheck | null }) {
  if (check === null)
    return 'Not checked yet. A check reads every byte of the records while they are used, and changes nothing.';
  const Icon = check.damaged > 0 ? IconAlertTriangle : IconCircleCheck;
  return (
    <>
      <Icon size={16} aria-hidden style={{ verticalAlign: '-3px' }} /> Checked{' '}
      <Moment at={parseInstant(check.checked_at) ?? 0} relative />:{' '}
      {check.damaged > 0 ? `${countOf(check.damaged, 'damaged place')} found.` : 'everything is readable.'}{' '}
      <Text span inherit c="dimmed">
        {formatBytes(check.bytes)} in {countOf(check.files, 'file')} of {countOf(check.devices, 'device')},
        read in {check.took_ms < 1000 ? 'less than a second' : formatDuration(check.took_ms / 1000)}.
      </Text>
    </>
  );
}

/** Damage by device, and its remedy. */
function Damages({ check: { findings, damaged } }: { readonly check: StorageCheck }) {
  const devices = [...Map.groupBy(findings, ({ device_id }) => device_id)];
  const listed = devices.slice(0, MOST_DEVICES);
  const told = listed.reduce((sum, [, found]) => sum + Math.min(found.length, MOST_OF_DEVICE), 0);
  const loses = findings.some((finding) => finding.loses);
  return (
    <>
      <List size="sm" aria-label="What is damaged" style={{ overflowWrap: 'anywhere' }}>
        {listed.map(([id, found]) => (
          <List.Item key={id}>
            <Whose finding={found[0]!} />
            <List size="sm" c="dimmed" withPadding={false}>
              {found.slice(0, MOST_OF_DEVICE).map(({ file, message }) => (
                <List.Item key={`${file} ${message}`}>
                  {file.split('/').at(-1)}: {message}
                </List.Item>
              ))}
            </List>
          </List.Item>
        ))}
      </List>
      {told < damaged && (
        <Text size="sm" c="dimmed">
          and {formatCount(damaged - told)} more.
        </Text>
      )}
      <Text size="sm">
        {loses
          ? 'Charts, pages and exports leave out what cannot be read; everything else is whole.'
          : 'No record is lost by it.'}{' '}
        Look after the disk, and have a backup. To set aside what is damaged, stop the service and run{' '}
        <span className="mono">fieldbench check --repair</span>.
      </Text>
    </>
  );
}

function Whose({ finding: { device, device_id } }: { readonly finding: Finding }) {
  if (device_id === null)
    return (
      <Text span inherit fw={500}>
        The write-ahead log, which all devices share
      </Text>
    );
  if (device === null)
    return (
      <Text span inherit fw={500}>
        Device {device_id}, which is deleted or of another account
      </Text>
    );
  const { project_id, project_name, name } = device;
  return (
    <Anchor href={hrefTo({ screen: 'device', project_id, device_id, tab: 'chart' })} inherit fw={500}>
      {name} in “{project_name}”
    </Anchor>
  );
}
