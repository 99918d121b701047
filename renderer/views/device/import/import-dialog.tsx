import { Button, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ImportResult } from '#shared/operations/records.ts';
import type { Device } from '#shared/schemas.ts';
import { dataOf, messageOf } from '../../../bridge/ask.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { DialogFooter } from '../../../components/dialog/dialog-footer.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { WorkProgress } from '../../../components/work/work-progress.tsx';
import { countOf, formatBytes } from '../../../format.ts';
import { deviceKey, deviceDetail } from '../../../stores/devices.ts';
import { closeDialog, openDialog } from '../../../stores/dialog.ts';
import { ImportForm } from './import-form.tsx';
import { ImportOutcome } from './import-outcome.tsx';
import { inspectSample, type ImportChoices, type Inspected } from './import-sample.ts';

interface ImportDialogProps {
  readonly file: File;
  /** Files that were dropped with it, and come after it. */
  readonly later: readonly File[];
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
}

type Step =
  | { readonly name: 'inspecting' }
  | ({ readonly name: 'choosing'; readonly problem: string | null } & Inspected)
  | { readonly name: 'importing'; readonly taken: number }
  | { readonly name: 'done'; readonly result: ImportResult }
  | { readonly name: 'unreadable'; readonly problem: string };

/** From dropped files to stored records, one after the other: how each is read, the choices, the import and its result. */
export function ImportDialog({ file, later, project_id, device }: ImportDialogProps) {
  const [step, setStep] = useState<Step>({ name: 'inspecting' });
  const underWay = useRef(new AbortController());
  /** What was asked for before the last choice, or before the import, is of no use any more. */
  const asked = useRef(0);
  const { value: page } = deviceDetail.useValue(deviceKey(project_id, device.id));

  useEffect(() => {
    let shown = true;
    inspectSample(file, {}).then(
      (inspected) => shown && setStep({ name: 'choosing', problem: null, ...inspected }),
      (error: unknown) => shown && setStep({ name: 'unreadable', problem: messageOf(error) }),
    );
    return () => void (shown = false);
  }, [file]);

  async function choose(before: Inspected, choices: ImportChoices): Promise<void> {
    const own = ++asked.current;
    setStep({ name: 'choosing', problem: null, ...before, choices });
    try {
      const inspected = await inspectSample(file, choices);
      if (own === asked.current) setStep({ name: 'choosing', problem: null, ...inspected });
    } catch (error) {
      // A choice that does not fit the file: how it was read before stays in view.
      if (own === asked.current) setStep({ name: 'choosing', ...before, choices, problem: messageOf(error) });
    }
  }

  async function run({ inspection, choices }: Inspected): Promise<void> {
    const { signal } = (underWay.current = new AbortController());
    asked.current++;
    setStep({ name: 'importing', taken: 0 });
    try {
      const target = { project_id, device_id: device.id, format: inspection.format };
      const envelope = await bridge.upload('records.import', { ...target, ...choices }, file, {
        signal,
        onProgress: (taken) => setStep({ name: 'importing', taken }),
      });
      setStep({ name: 'done', result: dataOf(envelope) });
    } catch (error) {
      const problem = signal.aborted ? 'The import was cancelled.' : messageOf(error);
      setStep({ name: 'choosing', inspection, choices, problem });
    }
  }

  const [next, ...others] = later;
  const goOn = () => {
    if (next) openDialog({ kind: 'import', file: next, later: others, project_id, device });
    else closeDialog();
  };
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
          <Text span inherit fw={600} c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
            {file.name}
          </Text>{' '}
          · {formatBytes(file.size)}
          {next &&
            ` · then ${next.name}${others.length > 0 ? ` and ${countOf(others.length, 'more file')}` : ''}`}
        </Text>
        {step.name === 'inspecting' && <Skeleton h={220} aria-label="Reading the file" />}
        {step.name === 'unreadable' && (
          <>
            <Problem message={step.problem} />
            <DialogFooter>
              <Button variant="default" onClick={goOn}>
                {next ? 'Next file' : 'Close'}
              </Button>
            </DialogFooter>
          </>
        )}
        {step.name === 'choosing' && (
          <ImportForm
            inspection={step.inspection}
            choices={step.choices}
            problem={step.problem}
            stored={page?.summary ?? null}
            onChange={(choices) => void choose(step, choices)}
            onCancel={close}
            onImport={() => void run(step)}
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
        {step.name === 'done' && (
          <ImportOutcome result={step.result} next={next?.name ?? null} onClose={goOn} />
        )}
      </Stack>
    </Modal>
  );
}
