import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ImportResult, Inspection } from '#shared/operations/records.ts';
import type { Device } from '#shared/schemas.ts';
import { ask, dataOf, messageOf } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { Problem } from '../../components/problem.tsx';
import { WorkProgress } from '../../components/work-progress.tsx';
import { formatBytes } from '../../format.ts';
import { closeDialog } from '../../stores/dialog.ts';
import { ImportForm, type ImportChoices } from './import-form.tsx';
import { ImportOutcome } from './import-outcome.tsx';

interface ImportDialogProps {
  readonly file: File;
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
}

/** What the service guesses from: the beginning of the file. */
const SAMPLE_BYTES = 64 * 1024;

type Step =
  | { readonly name: 'inspecting' }
  | {
      readonly name: 'choosing';
      readonly inspection: Inspection;
      readonly problem: string | null;
      readonly before: ImportChoices | null;
    }
  | { readonly name: 'importing'; readonly taken: number }
  | { readonly name: 'done'; readonly result: ImportResult }
  | { readonly name: 'unreadable'; readonly problem: string };

/** From a dropped file to stored records: how it is read, the choices, the import and its result. */
export function ImportDialog({ file, project_id, device }: ImportDialogProps) {
  const [step, setStep] = useState<Step>({ name: 'inspecting' });
  const underWay = useRef(new AbortController());

  useEffect(() => {
    let shown = true;
    inspect(file).then(
      (inspection) => shown && setStep({ name: 'choosing', inspection, problem: null, before: null }),
      (error: unknown) => shown && setStep({ name: 'unreadable', problem: messageOf(error) }),
    );
    return () => void (shown = false);
  }, [file]);

  async function run(inspection: Inspection, choices: ImportChoices): Promise<void> {
    const { signal } = (underWay.current = new AbortController());
    setStep({ name: 'importing', taken: 0 });
    try {
      const target = { project_id, device_id: device.id };
      const envelope = await bridge.upload('records.import', { ...target, ...choices }, file, {
        signal,
        onProgress: (taken) => setStep({ name: 'importing', taken }),
      });
      setStep({ name: 'done', result: dataOf(envelope) });
    } catch (error) {
      const problem = signal.aborted ? 'The import was cancelled.' : messageOf(error);
      setStep({ name: 'choosing', inspection, problem, before: choices });
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
      title={`Import into “${device.name}”`}
      size="xl"
      closeOnClickOutside={false}
      closeOnEscape={step.name !== 'importing'}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          <Text span inherit fw={600} c="var(--mantine-color-text)">
            {file.name}
          </Text>{' '}
          · {formatBytes(file.size)}
        </Text>
        {step.name === 'inspecting' && <Skeleton h={220} aria-label="Reading the file" />}
        {step.name === 'unreadable' && (
          <>
            <Problem message={step.problem} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Close
              </Button>
            </Group>
          </>
        )}
        {step.name === 'choosing' && (
          <ImportForm
            inspection={step.inspection}
            problem={step.problem}
            before={step.before}
            onCancel={close}
            onImport={(choices) => void run(step.inspection, choices)}
          />
        )}
        {step.name === 'importing' && (
          <WorkProgress
            label={step.taken < file.size ? 'Importing' : 'Storing the last records'}
            done={step.taken}
            total={file.size}
            format={formatBytes}
            onCancel={() => underWay.current.abort()}
          />
        )}
        {step.name === 'done' && <ImportOutcome result={step.result} onClose={closeDialog} />}
      </Stack>
    </Modal>
  );
}

async function inspect(file: File): Promise<Inspection> {
  const sample = await file.slice(0, SAMPLE_BYTES).text();
  return ask('records.inspect', { sample, complete: file.size <= SAMPLE_BYTES });
}
