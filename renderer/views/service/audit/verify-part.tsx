import { Button, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { AuditVerified } from '#shared/operations/service/audit.ts';
import { fileName } from '#shared/values/file-name.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { saveDownload } from '../../../components/work/save-download.ts';
import { countOf, formatBytes, formatCount } from '../../../format.ts';
import { startWork } from '../../../stores/jobs.ts';
import { Part } from '../parts.tsx';

/** Says whether all trails are as they were written, and saves the one that is shown; absent: that of the service. */
export function VerifyPart({ trail }: { readonly trail?: string | undefined }) {
  const [found, setFound] = useState<AuditVerified | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const run = async () => {
    setIsBusy(true);
    setProblem(null);
    try {
      setFound(await ask('audit.verify', {}));
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Part title="Every line holds the hash of the one before">
      <Group gap="md" align="center">
        <Button variant="default" loading={isBusy} onClick={() => void run()}>
          Verify now
        </Button>
        <Button variant="default" onClick={() => saveTrail(trail)}>
          Save as a file…
        </Button>
        <Text size="sm" role="status" flex={1} miw={220} style={{ overflowWrap: 'anywhere' }}>
          {found === null
            ? 'Verifying reads every entry, and names one that is gone, was changed, moved or added.'
            : outcomeOf(found)}
        </Text>
      </Group>
      {problem !== null && (
        <Text size="sm" c="danger" role="alert">
          {problem}
        </Text>
      )}
      {found && found.findings.length > 0 && (
        <List size="sm" aria-label="What is not as it was written" style={{ overflowWrap: 'anywhere' }}>
          {found.findings.map(({ message }) => (
            <List.Item key={message}>{message}</List.Item>
          ))}
        </List>
      )}
    </Part>
  );
}

function outcomeOf({ entries, harmed, last, hash, former }: AuditVerified) {
  const beside = former > 0 ? `, and ${countOf(former, 'trail')} of backups` : '';
  const Icon = harmed > 0 ? IconAlertTriangle : IconCircleCheck;
  return (
    <>
      <Icon size={16} aria-hidden style={{ verticalAlign: '-3px' }} />{' '}
      {harmed > 0
        ? `${countOf(harmed, 'finding')} in ${countOf(entries, 'entry', 'entries')}${beside}.`
        : `${countOf(entries, 'entry', 'entries')}${beside}, all as they were written.`}
      {harmed === 0 && last !== null && (
        <Text span inherit c="dimmed">
          {' '}
          Noted elsewhere, this shows it later, too: entry {formatCount(last)}, SHA-256{' '}
          <span className="mono">{hash}</span>
        </Text>
      )}
    </>
  );
}

function saveTrail(trail: string | undefined): void {
  const of = trail === undefined ? '' : `_${trail.slice(0, 12)}`;
  const name = fileName(`fieldbench_audit${of}_${new Date().toISOString().slice(0, 10)}`, 'ndjson');
  startWork({
    verb: 'Save',
    about: name,
    unit: 'bytes',
    job: { kind: 'export', project_id: '', device_id: null },
    run: (_progress, signal) =>
      saveDownload({ id: 'audit.export', input: trail === undefined ? {} : { trail }, name }, signal),
    outcome: (made) =>
      made && {
        text: `${countOf(made.data.entries, 'entry', 'entries')} · ${formatBytes(made.bytes)}`,
      },
  });
}
