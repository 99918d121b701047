import { Button, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { SelfTest } from '#shared/operations/service/secrets.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { Part } from '../parts.tsx';

const STEPS: Readonly<Record<SelfTest['steps'][number]['step'], string>> = {
  write: 'Keep something',
  read: 'Read it from where it is kept',
  delete: 'Delete it',
  gone: 'Find nothing of it any more',
};

/** Tries the vault out, and says of each step how it went. */
export function SelfTestPart() {
  const [tested, setTested] = useState<SelfTest | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const test = async () => {
    setIsBusy(true);
    setError(null);
    try {
      setTested(await ask('secrets.test', {}));
    } catch (caught) {
      setError(messageOf(caught));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Part title="Self-test">
      <Group gap="md">
        <Button variant="default" loading={isBusy} onClick={() => void test()}>
          Test the vault
        </Button>
        <Text size="sm" role="status" flex={1} miw={220}>
          {tested === null
            ? 'Keeps something for a moment, reads it as the next start would, and deletes it.'
            : tested.is_well
              ? 'The vault works.'
              : 'The vault does not work as it should.'}
        </Text>
      </Group>
      {error !== null && (
        <Text size="sm" c="danger" role="alert">
          {error}
        </Text>
      )}
      {tested !== null && (
        <List size="sm" center={false} aria-label="Steps of the self-test">
          {tested.steps.map(({ step, problem, took_ms }) => (
            <List.Item
              key={step}
              icon={
                problem === null ? (
                  <IconCircleCheck size={16} aria-hidden />
                ) : (
                  <IconAlertTriangle size={16} aria-hidden />
                )
              }
            >
              {STEPS[step]}: {problem === null ? `done in ${took_ms} ms` : `failed. ${problem}`}
            </List.Item>
          ))}
        </List>
      )}
    </Part>
  );
}
