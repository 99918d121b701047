import { Anchor, Button, Group, Loader, Menu, Switch, Text, ActionIcon } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconDots,
  IconPlayerPause,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { UPLINK } from '#shared/domain/decoder-names.ts';
import type { OutputOf } from '#shared/operations/index.ts';
import type { DataRecord, Device, DeviceFunction } from '#shared/schema/schemas.ts';
import { parseInstant } from '#shared/values/time.ts';
import { useMay } from '../../../bridge/distant.ts';
import { messageOf } from '../../../bridge/ask.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import { May } from '../../../components/work/may.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf, formatCount, shortened } from '../../../format.ts';
import { hrefTo } from '../../../router.ts';
import { decoderKey, failures } from '../../../stores/decoders.ts';
import { openDialog } from '../../../stores/dialog.ts';
import type { Zone } from '../../../time.ts';
import { removeDecoder, switchDecoder } from './change-decoders.ts';
import classes from './decoder-panel.module.css';
import { spacedHex } from './difference-rows.ts';
import { ErrorLine } from './error-line.tsx';

interface DecoderStateProps {
  readonly decoder: DeviceFunction;
  readonly device: Pick<Device, 'id' | 'name'>;
  readonly zone: Zone;
}

/** How a decoder does: whether it decodes, how many payloads came, the latest that was not decoded; and what can be done about it. */
export function DecoderState({ decoder, device, zone }: DecoderStateProps) {
  const { project_id, enabled } = decoder;
  const of = decoderKey(decoder);
  failures.useWatch(of);
  const { value, error } = failures.useValue(of);
  const [problem, setProblem] = useState<string | null>(null);
  const mayChange = useMay('functions.update');
  const act = (work: Promise<void>) => {
    setProblem(null);
    work.catch((reason: unknown) => setProblem(messageOf(reason)));
  };
  return (
    <>
      <div className={classes['bar']}>
        <div role="status" aria-label="State of the decoder" className={classes['state']}>
          <State decoder={decoder} counts={value} />
        </div>
        <Group gap="xs">
          <Switch
            label="Switched on"
            checked={enabled}
            disabled={!mayChange}
            onChange={({ currentTarget }) => act(switchDecoder(decoder, currentTarget.checked))}
          />
          <May to="functions.decode">
            <Button
              variant="default"
              size="xs"
              leftSection={<IconRefresh size={16} />}
              disabled={value?.payloads === 0}
              onClick={() => openDialog({ kind: 'decode-again', decoder, device: device.name, zone })}
            >
              Decode again…
            </Button>
          </May>
          <May to="functions.delete">
            <Menu position="bottom-end" withinPortal>
              <Menu.Target>
                <ActionIcon variant="default" size={30} aria-label="More of the decoder">
                  <IconDots size={18} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  c="danger"
                  leftSection={<IconTrash size={16} />}
                  onClick={() => act(removeDecoder(decoder))}
                >
                  Delete decoder
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </May>
        </Group>
      </div>
      {problem !== null && <Problem message={problem} />}
      {error !== null && <Problem message={error} onRetry={failures.reload} />}
      {value?.last && (
        <LatestFailure
          record={value.last}
          href={hrefTo({
            screen: 'device',
            project_id,
            device_id: device.id,
            tab: 'table',
            list: { open: value.last.timestamp },
          })}
        />
      )}
    </>
  );
}

interface StateProps {
  readonly decoder: DeviceFunction;
  readonly counts: OutputOf<'functions.failures'> | null;
}

function State({ decoder: { enabled, problem }, counts }: StateProps): ReactNode {
  const came = counts === null || counts.payloads === 0 ? '' : ` · ${countsWords(counts)}`;
  if (problem !== null)
    return (
      <>
        <IconAlertTriangle size={18} aria-hidden color="var(--app-warning)" />
        <Text size="sm">Does not decode: {problem}</Text>
      </>
    );
  if (!enabled)
    return (
      <>
        <IconPlayerPause size={18} aria-hidden />
        <Text size="sm">Switched off: what comes is not decoded{came}</Text>
      </>
    );
  if (counts?.payloads === 0)
    return (
      <>
        <Loader size={14} type="dots" aria-hidden />
        <Text size="sm" c="dimmed">
          Decodes: listening for the first payload…
        </Text>
      </>
    );
  const isGood = counts === null || counts.failed === 0;
  const Icon = isGood ? IconCircleCheck : IconAlertTriangle;
  return (
    <>
      <Icon size={18} aria-hidden color={isGood ? 'var(--mantine-color-teal-text)' : 'var(--app-warning)'} />
      <Text size="sm">Decodes{came}</Text>
    </>
  );
}

function countsWords({ payloads, failed }: OutputOf<'functions.failures'>): string {
  const all = countOf(payloads, 'payload');
  return failed === 0 ? `${all}, none with an error` : `${formatCount(failed)} of ${all} with an error`;
}

const LETTERS = 300;

function LatestFailure({ record, href }: { readonly record: DataRecord; readonly href: string }) {
  const at = parseInstant(record.timestamp);
  const bytes = String(record[UPLINK.bytes] ?? '');
  const port = record[UPLINK.port];
  return (
    <section aria-label="Latest error" className={classes['failure']}>
      <Text size="sm" c="dimmed">
        Latest error: {at === null ? record.timestamp : <Moment at={at} coarse />}
        {port !== undefined && ` · port ${String(port)}`} ·{' '}
        <Anchor href={href} inherit underline="always">
          See the table
        </Anchor>
      </Text>
      <ErrorLine message={String(record[UPLINK.error] ?? '')} />
      <Text size="sm" className={`mono ${classes['bytes']}`} title={shortened(bytes, 2_000)}>
        {bytes === '' ? 'no bytes' : shortened(spacedHex(bytes), LETTERS)}
      </Text>
    </section>
  );
}
