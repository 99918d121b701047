import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { SecretsNow } from '#shared/operations/service/secrets.ts';
import { ask } from '../../../bridge/ask.ts';
import { May } from '../../../components/work/may.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf } from '../../../format.ts';
import { secrets, status } from '../../../stores/service.ts';
import { SigningKey } from '../../../export/signing-key.tsx';
import { Fact, Part } from '../parts.tsx';
import { Act } from './act.tsx';
import { SelfTestPart } from './self-test.tsx';
import { openedByWords, VAULTS, WHAT_IS_KEPT } from './vault-words.ts';
import { Loading } from '../../../components/work/loading.tsx';

/** Vault of keys and tokens, and its actions. */
export function SecretsPart() {
  secrets.useWatch('all');
  const { value, error } = secrets.useValue('all');
  if (!value)
    return error === null ? (
      <Loading h={300} label="Loading where secrets are kept" />
    ) : (
      <Problem message={error} onRetry={secrets.reload} />
    );
  const openedBy = openedByWords(value);
  return (
    <Stack gap="md">
      {error !== null && <Problem message={error} onRetry={secrets.reload} />}
      <Part title="Where secrets are kept">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md" verticalSpacing="sm">
          <Fact label="Vault">{VAULTS[value.kind]}</Fact>
          <Fact label="Why">{value.reason.charAt(0).toUpperCase() + value.reason.slice(1)}</Fact>
          {openedBy !== null && <Fact label="Opened by">{openedBy}</Fact>}
        </SimpleGrid>
        <Text size="sm" c="dimmed">
          {WHAT_IS_KEPT}
        </Text>
        {value.warning !== null && (
          <Alert color="yellow" variant="light" icon={<IconKey size={18} />} title="Who else can read them">
            {value.warning}
          </Alert>
        )}
      </Part>
      <May to="handover.key">
        <Part title="Signature of what is handed over">
          <Text size="sm">
            A package of devices is signed with a key of this installation, which is kept with the other
            secrets and never leaves it.
          </Text>
          <SigningKey whole />
        </Part>
      </May>
      <SelfTestPart />
      <MovePart now={value} />
      <RotatePart now={value} />
    </Stack>
  );
}

const OTHER = { keychain: 'file', file: 'keychain', memory: null, database: null } as const;
const TO_WORDS = { keychain: 'Move to the system’s keychain', file: 'Move to encrypted files' };

function MovePart({ now: { kind, fixed, passphrase } }: { readonly now: SecretsNow }) {
  const to = OTHER[kind];
  return (
    <Part title="Move to another vault">
      <Text size="sm">
        Every secret is copied, read back and compared; then the other vault counts, and the copies here are
        removed. Rigs and devices notice nothing, and no crash on the way loses one.
      </Text>
      {to === 'file' && (
        <Text size="sm" c="dimmed">
          {passphrase
            ? 'The files are locked with the passphrase in FIELDBENCH_PASSPHRASE.'
            : 'The key that opens the files lies beside them: whoever can read the data directory can read them. With a passphrase in FIELDBENCH_PASSPHRASE at the start, that is what opens them.'}
        </Text>
      )}
      <Act
        label={to === null ? 'Move' : TO_WORDS[to]}
        why={fixed ?? (to === null ? 'Secrets in memory end with the service: they are not moved.' : null)}
        run={async () => {
          if (to === null) return '';
          const { moved, left } = await ask('secrets.move', { to });
          secrets.reload();
          status.reload();
          const words = `${countOf(moved, 'secret')} moved, read back and compared.`;
          return left === null ? words : `${words} Copies are left until the next start: ${left}`;
        }}
      />
    </Part>
  );
}

const NOTHING_TO_ROTATE = {
  keychain: 'The system protects its keychain by keys of its own: change the password that opens it there.',
  memory: 'Secrets in memory are protected by no key.',
  file: null,
  database:
    'The key is the same for all services of the lab: none of them can change it alone. “fieldbench lab rotate-key” does, while all are stopped.',
};

function RotatePart({ now: { kind, opened_by } }: { readonly now: SecretsNow }) {
  return (
    <Part title="Rotate the keys">
      {kind !== 'database' && (
        <Text size="sm">
          {opened_by === 'passphrase'
            ? 'The passphrase is stretched with a new salt, and every secret is sealed anew with a new key. The passphrase stays.'
            : 'vault.key is replaced, and every secret is sealed anew with a new key.'}{' '}
          API keys and device tokens stay what they are: a copy of the files from before opens nothing of what
          comes later.
        </Text>
      )}
      <Act
        label="Rotate the keys"
        why={NOTHING_TO_ROTATE[kind]}
        run={async () => {
          await ask('secrets.rotate', {});
          return 'Every secret is sealed with new keys; the old ones open nothing any more.';
        }}
      />
    </Part>
  );
}
