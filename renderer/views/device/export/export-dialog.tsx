import { Button, Input, Modal, SegmentedControl, Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import { fileName } from '#shared/file-name.ts';
import type { FileFormat } from '#shared/operations/records.ts';
import type { Device } from '#shared/schemas.ts';
import { dataOf, messageOf } from '../../../bridge/ask.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { useOffline } from '../../../bridge/connection.ts';
import { DialogFooter } from '../../../components/dialog/dialog-footer.tsx';
import { sayDone } from '../../../components/work/notices.ts';
import { OfflineNotice } from '../../../components/work/offline-notice.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { useJob } from '../../../components/work/use-job.ts';
import { WorkProgress } from '../../../components/work/work-progress.tsx';
import { countOf, formatBytes } from '../../../format.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { saveFile } from './save-file.ts';

interface ExportDialogProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
}

/** Every record of a device as a file, oldest first. */
export function ExportDialog({ project_id, device }: ExportDialogProps) {
  const [format, setFormat] = useState<FileFormat>('csv');
  const [received, setReceived] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const offline = useOffline();
  const job = useJob({ kind: 'export', project_id, device_id: device.id });
  const underWay = useRef(new AbortController());

  async function run(): Promise<void> {
    const { signal } = (underWay.current = new AbortController());
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    setProblem(null);
    setReceived(0);
    try {
      const envelope = await bridge.download(
        'records.export',
        { project_id, device_id: device.id, format },
        (piece) => {
          pieces.push(new Uint8Array(piece));
          bytes += piece.length;
          setReceived(bytes);
        },
        { signal },
      );
      const { records } = dataOf(envelope);
      const name = fileName(device.name, format);
      const saved = await saveFile(name, new Blob(pieces));
      if (saved === null) return setReceived(null);
      closeDialog();
      sayDone('Exported', `${countOf(records, 'record')} in ${saved}.`);
    } catch (error) {
      if (!signal.aborted) setProblem(messageOf(error));
      setReceived(null);
    }
  }

  const close = () => {
    underWay.current.abort();
    closeDialog();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={`Export “${device.name}”`}
      closeOnClickOutside={false}
      closeOnEscape={received === null}
    >
      <Stack gap="md">
        <Input.Wrapper label="Format" labelElement="div">
          <SegmentedControl
            fullWidth
            mt={4}
            aria-label="Format"
            value={format}
            onChange={(value) => setFormat(value === 'ndjson' ? 'ndjson' : 'csv')}
            disabled={received !== null}
            data={[
              { value: 'csv', label: 'CSV' },
              { value: 'ndjson', label: 'NDJSON' },
            ]}
          />
        </Input.Wrapper>
        {problem !== null && <Problem message={problem} />}
        {received !== null && (
          <WorkProgress
            label="Exporting"
            done={job?.done ?? received}
            total={job?.total ?? null}
            format={(done) => (job ? countOf(done, job.unit.slice(0, -1)) : formatBytes(done))}
            onCancel={() => underWay.current.abort()}
          />
        )}
        <OfflineNotice />
        <DialogFooter>
          <Button variant="default" onClick={close}>
            Close
          </Button>
          <Button loading={received !== null} disabled={offline} onClick={() => void run()} data-autofocus>
            Export
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
