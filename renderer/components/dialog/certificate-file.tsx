import { Button, Group, Text } from '@mantine/core';
import { IconFileCertificate } from '@tabler/icons-react';
import { useState } from 'react';
import type { ShownCertificate } from '#shared/operations/service/other-services.ts';
import { askHome, messageOf } from '../../bridge/ask.ts';
import { usePickFiles } from '../screen/use-pick-files.ts';

interface CertificateFileProps {
  readonly onRead: (certificate: ShownCertificate) => void;
  readonly disabled?: boolean;
}

/** Reads whom to trust from a file; what is none is said beside it. */
export function CertificateFile({ onRead, disabled = false }: CertificateFileProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const pick = usePickFiles(([file]) => {
    setProblem(null);
    readFile(file).then(onRead, (reason: unknown) => setProblem(messageOf(reason)));
  });
  return (
    <Group gap="sm">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconFileCertificate size={16} />}
        onClick={pick}
        disabled={disabled}
      >
        Authority from a file…
      </Button>
      {problem !== null && (
        <Text size="sm" c="danger" role="alert">
          {problem}
        </Text>
      )}
    </Group>
  );
}

async function readFile(file: File | undefined): Promise<ShownCertificate> {
  return askHome('other-services.read-certificate', { certificate: (await file?.text()) ?? '' });
}
