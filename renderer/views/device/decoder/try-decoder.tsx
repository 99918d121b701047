import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { firstError, previewWords } from './difference-rows.ts';
import { Differences } from './differences.tsx';
import { ErrorLine } from './error-line.tsx';
import type { Question } from './use-question.ts';

interface TryDecoderProps {
  readonly preview: Question<'functions.preview'>;
  /** Tries what is written. */
  readonly onTry: () => void;
  readonly onLine: (line: number) => void;
}

/** What the script that is written makes of the payloads that came; nothing is changed. */
export function TryDecoder({ preview, onTry, onLine }: TryDecoderProps) {
  const { found, error, busy, clear } = preview;
  const fault = found && firstError(found);
  return (
    <Stack gap="sm">
      <Title order={2} size="h5" id="decoder-try">
        Try
      </Title>
      <Text size="sm" c="dimmed">
        Decodes the payloads that came by what is written here, saved or not, and shows what would be other
        values. Nothing is changed.
      </Text>
      <Group gap="xs">
        <Button variant="default" leftSection={<IconPlayerPlay size={16} />} onClick={onTry} loading={busy}>
          Try on what came
        </Button>
        {busy && (
          <Button variant="subtle" onClick={clear}>
            Cancel
          </Button>
        )}
      </Group>
      <div role="status" aria-label="What came of it">
        {busy && <Loading h={40} label="Decoding what came" />}
        {found && <Text size="sm">{previewWords(found)}</Text>}
      </div>
      {fault !== null && <ErrorLine message={fault} onLine={onLine} />}
      {error !== null && <Problem message={error} />}
      {found && <Differences preview={found} />}
    </Stack>
  );
}
