import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '#shared/schema/schemas.ts';
import { useOffline } from '../../../bridge/connection.ts';
import { DialogFooter } from '../../../components/dialog/dialog-footer.tsx';
import { May } from '../../../components/work/may.tsx';
import { OfflineNotice } from '../../../components/work/offline-notice.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf, formatBytes } from '../../../format.ts';
import { currentRoute } from '../../../router.ts';
import { useCorrections } from '../../../stores/corrections.ts';
import { closeDialog, openDialog } from '../../../stores/dialog.ts';
import { formatLocal, zoneOffset } from '../../../time.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { FIRST_CHOICES, inputOf, shownNow, type ExportChoices } from '../../../export/export-choices.ts';
import { Choice, ExportFields, ViewChoice } from '../../../export/export-fields.tsx';
import { startExport } from '../../../export/start-export.ts';
import { useEstimate } from '../../../export/use-estimate.ts';

interface ExportDialogProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  /** The span that is to be exported; absent: that of the chart, if it shows one. */
  readonly span?: TimeSpan | undefined;
  /** Keys that are drawn. */
  readonly keys?: readonly string[] | undefined;
}

/** Records of a device as a file: which, and written how; the export itself is a row of the jobs tray. */
export function ExportDialog({ project_id, device, span, keys }: ExportDialogProps) {
  const [shown] = useState(() => shownNow(currentRoute(), device.id, { span, keys }));
  const [choices, setChoices] = useState<ExportChoices>(() => ({
    ...FIRST_CHOICES,
    span: span ? 'this' : 'all',
    keys: shown.hides ? 'shown' : 'all',
  }));
  const set = (changed: Partial<ExportChoices>) => setChoices({ ...choices, ...changed });
  const offline = useOffline();
  const isCorrected = useCorrections(project_id, device.id).list.length > 0;
  // Chosen, or else as the chart shows it.
  const view = choices.view ?? shown.view;
  const input = inputOf(
    { project_id, device_id: device.id },
    { ...choices, view: isCorrected ? view : null },
    shown,
  );
  const { estimate, error, retry } = useEstimate(input);
  const run = () => {
    startExport({ project_id, device, input, estimate });
    closeDialog();
  };
  const handOver = () =>
    openDialog({
      kind: 'hand-over',
      project_id,
      devices: [device],
      ...(shown.span && { span: shown.span }),
    });
  return (
    <Modal opened onClose={closeDialog} title={`Export “${device.name}”`} size="lg">
      <Stack gap="md">
        {shown.span && (
          <Choice
            label="Records"
            value={choices.span}
            onChange={(value) => set({ span: value })}
            data={[
              { value: 'this', label: 'This span' },
              { value: 'all', label: 'Everything' },
            ]}
          />
        )}
        {shown.span && choices.span === 'this' && (
          <Text size="sm" c="dimmed" mt={-8}>
            {formatLocal(shown.span.from)} – {formatLocal(shown.span.to)} ({zoneOffset(shown.span.to)})
          </Text>
        )}
        {shown.keys && (
          <Choice
            label="Keys"
            value={choices.keys}
            onChange={(value) => set({ keys: value })}
            data={[
              { value: 'shown', label: `Shown in the chart (${shown.keys.length})` },
              { value: 'all', label: 'All' },
            ]}
          />
        )}
        {isCorrected && <ViewChoice view={view} onChange={(value) => set({ view: value })} />}
        <ExportFields choices={choices} onChange={setChoices} />
        {error !== null && <Problem message={error} onRetry={retry} />}
        <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
          {estimate === null && error === null && 'Counting…'}
          {estimate && (
            <>
              <b>{countOf(estimate.records, 'record')}</b> · about {formatBytes(estimate.bytes)} ·{' '}
              {estimate.name}.{choices.format}
            </>
          )}
        </Text>
        <OfflineNotice />
        <DialogFooter>
          <Group gap="sm">
            <May to="handover.get">
              <Button variant="subtle" onClick={handOver}>
                Hand over…
              </Button>
            </May>
            <Button variant="default" onClick={closeDialog}>
              Cancel
            </Button>
            <Button disabled={offline} onClick={run} data-autofocus>
              Export
            </Button>
          </Group>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
