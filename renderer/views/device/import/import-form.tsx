import { Alert, Button, Radio, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { DeviceSummary } from '#shared/operations/devices.ts';
import type { Inspection } from '#shared/operations/records.ts';
import { useOffline } from '../../../bridge/connection.ts';
import { DialogFooter } from '../../../components/dialog/dialog-footer.tsx';
import { OfflineNotice } from '../../../components/work/offline-notice.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf } from '../../../format.ts';
import { ImportControls } from './import-controls.tsx';
import { ImportPreview } from './import-preview.tsx';
import type { ImportChoices } from './import-sample.ts';

interface ImportFormProps {
  readonly inspection: Inspection;
  readonly choices: ImportChoices;
  /** What went wrong with these choices before. */
  readonly problem: string | null;
  /** What the device holds already; null while that is not known. */
  readonly stored: DeviceSummary | null;
  readonly onChange: (choices: ImportChoices) => void;
  readonly onImport: () => void;
  readonly onCancel: () => void;
}

/** How the file was understood, what can be set right, and its first rows. */
export function ImportForm(props: ImportFormProps) {
  const { inspection, choices, problem, stored, onChange, onImport, onCancel } = props;
  const offline = useOffline();
  const form = useRef<HTMLFormElement>(null);
  const importButton = useRef<HTMLButtonElement>(null);
  // The dialog has chosen its first focus, the button that closes it, while the file was still being looked at.
  useEffect(
    () => (importButton.current?.disabled ? form : importButton).current?.focus({ preventScroll: true }),
    [],
  );
  const warnings = [
    ...(choices.time_column === ''
      ? ['Every row gets the time of the import: all of them will lie at one instant.']
      : []),
    ...(overlaps(inspection, stored)
      ? [
          `The device already has ${countOf(stored?.records ?? 0, 'record')}, some of them perhaps from this span of time. Those of the file are added to them; a file that is imported twice is there twice.`,
        ]
      : []),
  ];

  return (
    <form
      ref={form}
      tabIndex={-1}
      style={{ outline: 'none' }}
      onSubmit={(event) => {
        event.preventDefault();
        if (inspection.problem === null && !offline) onImport();
      }}
    >
      <Stack gap="md">
        <ImportPreview inspection={inspection} />
        {inspection.problem !== null && problem === null && <Problem message={inspection.problem} />}
        <Lines icon={<IconAlertTriangle size={18} />} color="yellow" lines={warnings} />
        <Lines icon={<IconInfoCircle size={18} />} lines={inspection.notes} />
        <ImportControls
          inspection={inspection}
          choices={choices}
          all={inspection.problem_with === 'rows' || problem !== null}
          onChange={onChange}
        />
        <Radio.Group
          label="If a row cannot be read"
          value={choices.on_error ?? 'abort'}
          onChange={(value) => onChange({ ...choices, on_error: value === 'keep' ? 'keep' : 'abort' })}
        >
          <Stack gap={6} mt={6}>
            <Radio value="abort" label="Import nothing, and say which row" />
            <Radio value="keep" label="Skip the row and keep the others" />
          </Stack>
        </Radio.Group>
        <OfflineNotice />
        <DialogFooter problem={problem}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" ref={importButton} disabled={inspection.problem !== null || offline}>
            Import
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

interface LinesProps {
  readonly icon: React.ReactNode;
  readonly color?: string;
  readonly lines: readonly string[];
}

function Lines({ icon, color, lines }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <Alert variant="light" role="note" icon={icon} p="sm" {...(color !== undefined && { color })}>
      {lines.map((line) => (
        <Text size="sm" key={line} style={{ overflowWrap: 'anywhere' }}>
          {line}
        </Text>
      ))}
    </Alert>
  );
}

/** Whether the device has records from the first to the last row's time, as far as both are known. */
function overlaps({ first, last }: Inspection, stored: DeviceSummary | null): boolean {
  if (!stored?.first || !stored.last || first === null) return false;
  const [from, to] = [first, last ?? first].toSorted();
  // Both are written alike, so that their texts are in order of time.
  return (from ?? '') <= stored.last && (to ?? '') >= stored.first;
}
